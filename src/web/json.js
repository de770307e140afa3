// JSON without a loss: numbers stay the digits that were sent.

/** JSON whose numbers stay the text that they were written as. */
export function parseJson(text) {
  let kept = true;
  const value = JSON.parse(text, (_, item, context) => {
    if (typeof item !== "number") return item;
    if (context?.source === undefined) kept = false;
    return kept ? context.source : item;
  });
  return kept ? value : JSON.parse(quoteNumbers(text));
}

/** Valid JSON with its numbers in quotes: for browsers that do not show a number's source. */
export function quoteNumbers(text) {
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
  return text.replace(tokens, (token) => (token[0] === '"' ? token : `"${token}"`));
}
