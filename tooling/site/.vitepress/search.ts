// The search in the page: VitePress' own, over the index of `search.mjs`.
import type { DefaultTheme } from "vitepress";
import { searchOptions } from "../../scripts/site/search.mjs";

export const searchAt = (base: string): DefaultTheme.Config["search"] => ({
  provider: "local",
  options: searchOptions(base) as DefaultTheme.LocalSearchOptions,
});
