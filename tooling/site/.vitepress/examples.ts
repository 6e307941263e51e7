import type { MarkdownOptions } from "vitepress";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/** Pages whose examples run; the others are for people who change Treeline, or are generated. */
const RUNNABLE = /^(?:(?:guide|how-to|coming-from|concepts)\/|index\.md$)/;

interface PageState {
  readonly relativePath?: string;
  /** The examples of the page so far: a later one continues where they stopped. */
  examples?: string[];
}

/** Makes each `ts` block of a runnable page an example that readers can edit and run. */
export function withExamples(markdown: Markdown): void {
  const fence = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, place, options, env: PageState, self) => {
    const shown = fence(tokens, place, options, env, self);
    const token = tokens[place]!;
    if (token.info.trim() !== "ts" || !RUNNABLE.test(env.relativePath ?? "")) return shown;
    env.examples ??= [];
    const before = encodeURIComponent(env.examples.join("\n"));
    env.examples.push(token.content);
    return `<RunnableExample before="${before}" code="${encodeURIComponent(token.content)}">${shown}</RunnableExample>`;
  };
}
