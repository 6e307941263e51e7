// Pictures that exist for light and dark: a page can be switched, so it has both and shows one, instead of asking the system.
import type { MarkdownOptions } from "vitepress";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

const PICTURE =
  /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img ([^>]*?)src="([^"]+)"([^>]*)>\s*<\/picture>/g;

export function withPictures(markdown: Markdown): void {
  const html = markdown.renderer.rules.html_block!;
  markdown.renderer.rules.html_block = (...all) => {
    const text = html(...all).replace(
      PICTURE,
      (_, dark: string, before: string, light: string, after: string) => {
        const image = (theme: string, path: string): string =>
          `<img class="only-${theme}" ${before}src="${path}"${after} loading="lazy">`;
        return image("light", light) + image("dark", dark);
      },
    );
    if (text.includes("prefers-color-scheme"))
      throw new Error(`a picture asks the system for its theme: ${text}`);
    return text;
  };
}
