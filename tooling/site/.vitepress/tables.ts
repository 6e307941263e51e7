// Tables for readers who hear them: a column without a name begins with a cell, not with an empty heading.
import type { MarkdownOptions } from "vitepress";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

export function withTables(markdown: Markdown): void {
  markdown.core.ruler.push("empty_headings", ({ tokens }) => {
    tokens.forEach((token, place) => {
      if (token.type !== "th_open" || tokens[place + 1]!.content !== "") return;
      token.tag = "td";
      tokens[place + 2]!.tag = "td";
    });
  });
}
