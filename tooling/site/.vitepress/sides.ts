// Pages for newcomers from other libraries: their program and ours side by side, with what each prints. See decision 0114.
import type { MarkdownOptions, PageData } from "vitepress";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];
type Token = ReturnType<Markdown["parse"]>[number];

/** The info of a program of another library: its language, and the name of the library. */
const THEIRS = /^(ts|c|rust|csharp) (\S+)$/;

const hasSides = (path: string): boolean =>
  path.startsWith("coming-from/") && path !== "coming-from/index.md";

/** Such pages are as wide as two programs: they have no outline beside them. */
export function widenSides({ relativePath, frontmatter }: PageData): void {
  if (hasSides(relativePath)) Object.assign(frontmatter, { aside: false, pageClass: "sides-page" });
}

export function withSides(markdown: Markdown): void {
  markdown.core.ruler.push("sides", (state) => {
    if (!hasSides(state.env.relativePath ?? "")) return;
    const html = (content: string): Token => {
      const token = new state.Token("html_block", "", 0);
      token.content = content;
      return token;
    };
    const side = (name: string, blocks: readonly Token[]): Token[] => [
      html(`<div class="side" role="group" aria-label="${name}"><p class="side-name">${name}</p>\n`),
      ...blocks,
      html("</div>\n"),
    ];

    const shown: Token[] = [];
    for (let place = 0; place < state.tokens.length; ) {
      const theirs = state.tokens[place]!;
      const [, language, library] = (theirs.type === "fence" && THEIRS.exec(theirs.info.trim())) || [];
      if (library === undefined) {
        shown.push(theirs);
        place += 1;
        continue;
      }
      const [ours, output, other] = state.tokens.slice(place + 1, place + 4);
      const isOutput = output?.type === "fence" && output.info.trim() === "text";
      const isOther = isOutput && other?.type === "fence" && other.info.trim() === `text ${library}`;
      const printed = isOutput ? [output] : [];
      // What has not been run shows no output.
      const theirOutput = isOther ? [other] : language === "ts" ? printed : [];
      shown.push(
        html('<div class="sides"><div class="sides-pair">\n'),
        ...side(library, [theirs, ...theirOutput]),
        ...side("Treeline", [ours!, ...printed]),
        html("</div></div>\n"),
      );
      place += 2 + printed.length + (isOther ? 1 : 0);
    }
    state.tokens = shown;
  });
}
