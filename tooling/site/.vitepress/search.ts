// What the search finds, and in which order.
import type { DefaultTheme } from "vitepress";

type SearchOptions = Extract<DefaultTheme.Config["search"], { readonly provider: "local" }>["options"];
type Render = NonNullable<NonNullable<SearchOptions>["_render"]>;

/** Pages for people who change Treeline are not in the index. */
const LEFT_OUT =
  /^(?:decisions\/|(?:architecture|contributing|files|glossary|invariants|style|walkthroughs)\.md$)/;

/** What follows in a page of the reference: names of other exports, which have pages of their own. */
const LISTS_OF_NAMES = /<h2 id="(?:used-by|guides|more-of-[^"]*|see-also)"[\s\S]*$/;

/** A page as the index reads it: its prose. Programs are left out, and so is the time that their colours take. */
const render: Render = (text, env, markdown) => {
  if (LEFT_OUT.test(env.relativePath)) return "";
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = () => "";
  try {
    const html = markdown.render(text, env);
    if (env.frontmatter?.search === false) return "";
    return env.frontmatter?.reference === undefined ? html : html.replace(LISTS_OF_NAMES, "");
  } finally {
    markdown.renderer.rules.fence = fence!;
  }
};

export const search: DefaultTheme.Config["search"] = {
  provider: "local",
  options: { _render: render },
};
