// Filters the table of contents of the manual while the user types. Matching sections are shown
// below their chapter.

const search = document.getElementById("search");
/** @type {any} */
const field = document.getElementById("words");
const found = document.getElementById("found");
const contents = document.getElementById("contents");

/** Normalises a string for comparison: lower case, ё replaced with е. */
const plain = (text) => text.toLowerCase().replaceAll("ё", "е");

/** The chapters as `{place, link, text, sections}`, and their sections as `{place, link, text}`. */
const chapters = [...contents.children].map((place) => ({
  ...entry(place),
  sections: [...place.querySelectorAll("ul > li")].map(entry),
}));

function entry(place) {
  const link = place.querySelector("a");
  return { place, link, text: plain(link.textContent) };
}

/**
 * Hides the entries that lack one of the words. A chapter stays visible if any of its sections
 * does.
 */
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
      // Below a matching chapter, all sections stay visible to show what it contains.
      section.place.hidden = !isMatch && !isWhole;
      isThere ||= isMatch;
      if (isMatch) number += 1;
    }
    chapter.place.hidden = !isThere;
    chapter.link.classList.toggle("around", words.length > 0 && !isWhole);
  }
  found.textContent = words.length === 0 ? "" : number === 0 ? found.dataset.nothing : found.dataset.found + number;
}

/**
 * The visible links. Enter in the field opens the first one that matches.
 * @returns {any[]}
 */
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
// After Back, browsers restore what was typed.
if (field.value) filter();
