// The place in a view where a person was: how far down, and which rows were open. It is
// remembered in the browser's history, so that back, forward and reload return to it.

/** How long after the last scrolling the place is stored, milliseconds: browsers limit how often. */
const WAIT = 400;

/** Is a view still to return to its place? Until then nothing is stored over it. */
let isReturning = false;
let timer;

const store = (changes) => history.replaceState({ ...history.state, ...changes }, "");

function storeScroll() {
  clearTimeout(timer);
  if (!isReturning && scrollY !== (history.state?.y ?? 0)) store({ y: scrollY });
}

/** A person who moves on by hand stays there. */
const moved = () => (isReturning = false);

history.scrollRestoration = "manual";
addEventListener("scroll", () => {
  clearTimeout(timer);
  const { href } = location;
  timer = setTimeout(() => location.href === href && storeScroll(), WAIT);
}, { passive: true });
addEventListener("click", storeScroll, { capture: true });
addEventListener("pagehide", storeScroll);
for (const event of ["wheel", "touchmove", "keydown"]) addEventListener(event, moved, { passive: true, capture: true });

/**
 * The place in the entry of the history that is shown now; to be called before the view is
 * drawn. `open`: the rows that were open; `isBack`: whether there is a place to return to;
 * `goBack`: to be called once all of the view is there.
 */
export function placeNow() {
  const { y = 0, open = [] } = history.state ?? {};
  isReturning = y > 0;
  return {
    open,
    isBack: y > 0,
    goBack: () => {
      const isFree = open.length > 0 && document.activeElement?.matches("h1, body");
      /** @type {HTMLElement | null} */
      const row = isFree ? document.querySelector(`[data-stay="${CSS.escape(`row-${open.at(-1)}`)}"]`) : null;
      row?.focus({ preventScroll: true });
      if (isReturning) scrollTo(0, y);
      isReturning = false;
    },
  };
}

/** Remembers that a row is open, or is not any more. */
export function keepOpen(row, isOpen) {
  const others = (history.state?.open ?? []).filter((one) => one !== row);
  store({ open: isOpen ? [...others, row] : others });
}
