// Lint rules for the page's scripts; run from the root of the repository. `tsconfig.json` rules out
// language features that Firefox 115 does not have.

import js from "@eslint/js";

const BROWSER = Object.fromEntries(
  (
    "AbortController AbortSignal Blob BroadcastChannel CSS DecompressionStream DOMParser Event Intl TextDecoder TextEncoder URL " +
    "URLSearchParams addEventListener clearTimeout crypto dispatchEvent document fetch globalThis history innerHeight " +
    "innerWidth localStorage location matchMedia navigator print removeEventListener requestAnimationFrame " +
    "scrollTo scrollY sessionStorage setTimeout structuredClone window"
  )
    .split(" ")
    .map((name) => [name, "readonly"]),
);

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: BROWSER },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "max-len": ["error", 120],
      "no-unused-vars": ["error", { caughtErrors: "none" }],
      // Firefox 115 does not have this.
      "no-restricted-properties": ["error", { object: "AbortSignal", property: "any" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  // Files with lines that have yet to be shortened.
  {
    files: ["codes", "coverage", "page", "purchase", "record", "sheet"].map((name) => `**/${name}.js`),
    rules: { "max-len": "off" },
  },
];
