// Which blocks of which pages become examples that run (`withExamples`, `RUNNABLE`).
import type { MarkdownOptions } from "vitepress";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/** Pages whose examples run; the others are for people who change Treeline, or are generated. */
const RUNNABLE = /^(?:(?:guide|how-to|coming-from|concepts)\/|index\.md$)/;

interface PageState {
  readonly relativePath?: string;
}

/** Below a picture: the site shows a game there that plays, of all examples above or of the whole page. */
const PLAY = /<!-- play( the whole game)?(?:, keys: (.*?))? -->/;

/**
 * Makes each `ts` block of a runnable page an example that readers can edit and run, and the pictures of a tutorial games. Examples
 * continue where those above stopped: they find their texts in the page.
 */
export function withExamples(markdown: Markdown): void {
  const fence = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, place, options, env: PageState, self) => {
    const shown = fence(tokens, place, options, env, self);
    const token = tokens[place]!;
    if (token.info.trim() !== "ts" || !RUNNABLE.test(env.relativePath ?? "")) return shown;
    return `<RunnableExample code="${encodeURIComponent(token.content)}">${shown}</RunnableExample>`;
  };
  const html = markdown.renderer.rules.html_block!;
  markdown.renderer.rules.html_block = (tokens, place, options, env: PageState, self) => {
    const shown = html(tokens, place, options, env, self);
    const [mark, whole, keys = ""] = PLAY.exec(shown) ?? [];
    if (mark === undefined) return shown;
    const name = whole === undefined ? "step" : "game";
    return `<PlayStep name="${name}" keys="${keys}">${shown.replace(mark, "")}</PlayStep>`;
  };
}
