// The search in the contents of the manual: as one types, only headings with all the words
// are left, each below its chapter.

const search = document.getElementById("search");
/** @type {any} */
const field = document.getElementById("words");
const found = document.getElementById("found");
const contents = document.getElementById("contents");

/** Small letters, ё as е. */
const plain = (text) => text.toLowerCase().replaceAll("ё", "е");

/** A chapter: its place in the list, its link, and the same of its sections. */
const chapters = [...contents.children].map((place) => ({
  ...entry(place),
  sections: [...place.querySelectorAll("ul > li")].map(entry),
}));

function entry(place) {
  const link = place.querySelector("a");
  return { place, link, text: plain(link.textContent) };
}

/** Leaves what has all of the words; a chapter stays with any section of it. */
function filter() {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  const matches = ({ text }) => words.every((word) => text.includes(word));
  let number = 0;
  for (const chapter of chapters) {
    const isWhole = matches(chapter);
    let isThere = isWhole;
    if (isWhole) number += 1;
    for (const section of chapter.sections) {
      const isMatch = matches(section);
      // Below the title of a chapter that matches, its sections say what is in it.
      section.place.hidden = !isMatch && !isWhole;
      isThere ||= isMatch;
      if (isMatch) number += 1;
    }
    chapter.place.hidden = !isThere;
    chapter.link.classList.toggle("around", words.length > 0 && !isWhole);
  }
  found.textContent = words.length === 0 ? "" : number === 0 ? found.dataset.nothing : found.dataset.found + number;
}

/** The links that are shown; with the field in focus, Enter follows the first that matches. */
/** @returns {any[]} */
const shown = () => [...contents.querySelectorAll("li:not([hidden]) > a")].filter((link) => !link.closest("[hidden]"));

function move(event) {
  const links = shown();
  const at = links.findIndex((link) => link === document.activeElement);
  if (event.key === "ArrowDown") (links[at + 1] ?? links[at])?.focus();
  else if (event.key === "ArrowUp" && at >= 0) (links[at - 1] ?? field).focus();
  else if (event.key === "Enter" && at < 0 && field.value.trim()) {
    links.find((link) => !link.classList.contains("around"))?.click();
  }
  else if (event.key === "Escape" && field.value) {
    field.value = "";
    filter();
    field.focus();
  } else return;
  event.preventDefault();
}

search.hidden = false;
field.addEventListener("input", filter);
for (const place of [field, contents]) place.addEventListener("keydown", move);
// What was typed is there again where the browser comes back to the page.
if (field.value) filter();
