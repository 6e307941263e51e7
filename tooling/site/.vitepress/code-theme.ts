// Which part of a program has which colour: names of CSS variables, so that blocks follow the theme, and editors can use the same.
import type { MarkdownOptions } from "vitepress";

/** The variables of theme/tokens.css, and the TextMate scopes that have their colour; a later line wins. */
const PARTS: readonly (readonly [string, readonly string[]])[] = [
  ["punctuation", ["punctuation", "meta.brace", "keyword.operator", "storage.type.function.arrow"]],
  [
    "keyword",
    ["keyword", "storage", "variable.language", "keyword.operator.new", "keyword.operator.expression"],
  ],
  ["number", ["constant", "support.constant", "variable.other.enummember"]],
  ["string", ["string", "punctuation.definition.string", "markup.inline.raw", "markup.inserted"]],
  ["function", ["entity.name.function", "support.function", "entity.other.attribute-name", "markup.heading"]],
  ["type", ["entity.name.type", "entity.name.class", "support.type", "support.class", "entity.name.tag"]],
  ["comment", ["comment", "punctuation.definition.comment", "markup.quote"]],
  [
    "ink",
    [
      "support.type.object",
      "variable",
      "meta.object-literal.key",
      "punctuation.definition.template-expression",
    ],
  ],
];

/** Themes may contain only hexadecimal colours: each stands for a variable, which replaces it in pages. */
const placeholder = (at: number): string => `#0000${(at + 1).toString(16).padStart(2, "0")}`;
const INK = placeholder(PARTS.findIndex(([name]) => name === "ink"));

/** One theme for light and dark: a token has the style `color:var(--tl-code-string)`. */
export const codeTheme = {
  name: "treeline",
  type: "light",
  fg: INK,
  bg: "#ffffff",
  colors: { "editor.foreground": INK, "editor.background": "#ffffff" },
  colorReplacements: {
    "#ffffff": "transparent",
    ...Object.fromEntries(PARTS.map(([name], at) => [placeholder(at), `var(--tl-code-${name})`])),
  },
  tokenColors: PARTS.map(([, scope], at) => ({
    scope: [...scope],
    settings: { foreground: placeholder(at) },
  })),
} satisfies MarkdownOptions["theme"];

type Highlighter = Parameters<NonNullable<MarkdownOptions["shikiSetup"]>>[0];

/** Takes as long as a line needs. Else a line that a busy machine does not finish in half a second has wrong colours, and those below it. */
export function highlightWhole(highlighter: Highlighter): void {
  const { codeToHtml } = highlighter;
  highlighter.codeToHtml = (code, options) => codeToHtml(code, { ...options, tokenizeTimeLimit: 0 });
}
