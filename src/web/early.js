// What must be known before anything is painted, so that nothing shows in another theme or
// language first. A classic script: it holds up the page, and imports nothing. `page.js` sets
// both, and says so by the event `theme`; where the browser refuses storage, neither is remembered.
{
  const { documentElement: root } = document;
  const remembered = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  // The view, which the header depends on; `page.js` keeps it up to date.
  root.dataset.view = /^#\/(\w+)/.exec(location.hash)?.[1] ?? "home";
  const theme = remembered("theme");
  if (theme) root.dataset.theme = theme;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const shade = () => {
    const { theme: chosen = "auto" } = root.dataset;
    root.classList.toggle("dark", chosen === "dark" || (chosen === "auto" && system.matches));
  };
  shade();
  system.addEventListener("change", shade);
  addEventListener("theme", shade);
  const language = remembered("language");
  const address = new URL(location.href);
  if (language && language !== root.lang && language !== address.searchParams.get("lang")) {
    address.searchParams.set("lang", language);
    location.replace(address);
  }
}
