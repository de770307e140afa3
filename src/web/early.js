// Runs before the first paint, so that the page never flashes in the wrong theme or language. It is
// a classic script that blocks rendering, and so it imports nothing. `page.js` changes theme and
// language later and dispatches the event `theme`. If the browser blocks storage, neither is
// remembered.
{
  const { documentElement: root } = document;
  const remembered = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  // The view determines the layout of the header; `page.js` keeps this attribute up to date.
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
