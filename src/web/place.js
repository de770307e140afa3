// Scroll position and expanded rows of a view, stored in the browser history so that Back, Forward
// and reload can restore them.

/**
 * Delay after scrolling before the position is stored, in milliseconds. Browsers limit how often
 * the history may be changed.
 */
const WAIT = 400;

/**
 * Whether a view still has to restore its position. Until then, scrolling does not overwrite the
 * stored position.
 */
let isReturning = false;
let timer;

const store = (changes) => history.replaceState({ ...history.state, ...changes }, "");

function storeScroll() {
  clearTimeout(timer);
  if (!isReturning && scrollY !== (history.state?.y ?? 0)) store({ y: scrollY });
}

/** If the user scrolls before the view is complete, the stored position is not restored. */
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
 * Returns what the current history entry stores about the view: `open` has the expanded rows, and
 * `isBack` says whether there is a scroll position to restore. Call this before drawing the view,
 * and `goBack` once the view is complete: it restores the scroll position.
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

/** Stores that a row was opened or closed. */
export function keepOpen(row, isOpen) {
  const others = (history.state?.open ?? []).filter((one) => one !== row);
  store({ open: isOpen ? [...others, row] : others });
}
