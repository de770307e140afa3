const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Parses JSON, keeping each number as the string that was sent, so that no digit is lost. */
export const parseJson = (text) =>
  JSON.parse(text.replace(TOKENS, (token) => (token[0] === '"' ? token : `"${token}"`)));
