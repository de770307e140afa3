// Before anything is painted: the colours, and whether the start, which the page came with
// as it looks, is what the address asks for. The scripts that make it work are loaded after
// it is painted, as they would hold that up; for any other view they are loaded at once.

const root = document.documentElement;
const language = sessionStorage.getItem("language") ?? root.lang;

function load() {
  import("/web/page.js");
  for (const name of ["ask", "days", "dom", "home", "json", "question", "texts", `texts-${language}`, "trouble"]) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = `/web/${name}.js`;
    document.head.append(link);
  }
}

/** Loads once there is something to see; soon, where nothing is to be seen. */
function loadWhenPainted() {
  const observer = new PerformanceObserver(go);
  const waited = setTimeout(go, 300);
  observer.observe({ type: "paint", buffered: true });
  function go() {
    observer.disconnect();
    clearTimeout(waited);
    load();
  }
}

root.setAttribute("aria-busy", "true");
root.dataset.theme = sessionStorage.getItem("theme") ?? "auto";
const isReady = document.querySelector("meta[name=about]").content !== "" && language === root.lang;
if (isReady && /^(#\/?)?$/.test(location.hash)) {
  root.dataset.view = "home";
  loadWhenPainted();
} else {
  load();
}
