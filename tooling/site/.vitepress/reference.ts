// How pages lead to the reference: names of exports in prose and in signatures are links, and docs/errors.md lists who throws each code.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MarkdownOptions } from "vitepress";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];
type Token = ReturnType<Markdown["parse"]>[number];

interface PageState {
  readonly relativePath?: string;
  readonly frontmatter?: { readonly reference?: ReferencePage };
}

/** What the page of an export says of itself. */
interface ReferencePage {
  readonly entry: string;
  /** Its body is not in the search: there are many, and their names say what they are. */
  readonly isType: boolean;
  /** In its prose these mean what is passed. */
  readonly parameters: readonly string[];
  /** The addresses of the exports that its signature mentions, by name. */
  readonly uses: Readonly<Record<string, string>>;
}

interface Reference {
  /** Name -> [entry point, address], the first one is its home. */
  readonly exports: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  /** Code -> [name, address, entry point if several have the name] of the functions that throw it. */
  readonly throwers: Readonly<Record<string, readonly (readonly [string, string, string])[]>>;
}

/** Pages for users; in the others, names of exports are mostly names in the sources. */
const LINKED = /^(?:guide|how-to|concepts|coming-from|reference)\/|^(?:hierarchies|errors|index)\.md$/;

function readReference(): Reference {
  const file = fileURLToPath(new URL("../dist/pages/reference/reference.json", import.meta.url));
  return JSON.parse(readFileSync(file, "utf8")) as Reference;
}

/** The names that the programs of a page import: name -> entry point. */
function importsIn(tokens: readonly Token[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { type, content } of tokens) {
    if (type !== "fence") continue;
    for (const [, names, entry] of content.matchAll(/^import \{([^}]*)\} from "([^"]+)";/gm)) {
      for (const name of names!.split(",")) found.set(name.trim().replace(/^type /, ""), entry!);
    }
  }
  return found;
}

/** Makes the first `spawn` of a section a link, where it means the export. */
export function withReference(markdown: Markdown, base: string): void {
  const { exports, throwers } = readReference();

  /** The page imports it; or it can mean nothing else: it is a call, or no word of prose. */
  const addressOf = (
    text: string,
    imports: ReadonlyMap<string, string>,
    entry?: string,
  ): string | undefined => {
    const [, name = "", call] = /^(\$?\w+)(\(.*\))?$/.exec(text) ?? [];
    const all = Object.hasOwn(exports, name) ? exports[name]! : [];
    const from = imports.get(name) ?? entry;
    const own = all.find(([each]) => each === from)?.[1];
    if (own !== undefined) return own;
    const isClear = call !== undefined || /[a-z][A-Z]/.test(name);
    const addresses = new Set(all.map(([, address]) => address));
    return isClear && addresses.size === 1 && !imports.has(name) ? [...addresses][0] : undefined;
  };

  markdown.core.ruler.push("reference-links", ({ tokens, env, Token: TokenClass }) => {
    const { relativePath = "", frontmatter }: PageState = env;
    if (!LINKED.test(relativePath)) return;
    const page = frontmatter?.reference;
    const imports = importsIn(tokens);
    let linked = new Set<string>([`/${relativePath.replace(/\.md$/, "")}`]);
    tokens.forEach((token, place) => {
      if (token.type === "heading_open" && token.tag === "h2") linked = new Set([...linked].slice(0, 1));
      const isHeading = tokens[place - 1]?.type === "heading_open";
      if (token.type !== "inline" || isHeading || token.children === null) return;
      let depth = 0;
      token.children = token.children.flatMap((child) => {
        if (child.type === "link_open") depth++;
        if (child.type === "link_close") depth--;
        const address =
          child.type === "code_inline" && depth === 0 && !page?.parameters.includes(child.content)
            ? addressOf(child.content, imports, page?.entry)
            : undefined;
        if (address === undefined || linked.has(address)) return [child];
        linked.add(address);
        const open = new TokenClass("link_open", "a", 1);
        open.attrSet("href", address);
        return [open, child, new TokenClass("link_close", "a", -1)];
      });
    });
    if (relativePath === "errors.md") insertThrowers(tokens, TokenClass);
  });

  /** Below the heading of each code: who throws it. */
  const insertThrowers = (
    tokens: Token[],
    TokenClass: new (type: string, tag: string, nesting: 1 | 0 | -1) => Token,
  ): void => {
    for (let place = tokens.length - 1; place >= 0; place--) {
      const code = tokens[place]!.type === "heading_open" ? (tokens[place + 1]?.content ?? "") : "";
      const all = Object.hasOwn(throwers, code) ? throwers[code]! : [];
      if (all.length === 0) continue;
      const html = new TokenClass("html_block", "", 0);
      const links = all
        .map(
          ([name, url, place]) => `<a href="${href(url)}"><code>${name}</code></a>${place && ` of ${place}`}`,
        )
        .join(", ");
      html.content = `<details class="reference-throwers"><summary>Thrown by ${all.length} ${all.length === 1 ? "function" : "functions"}</summary><p>${links}</p></details>\n`;
      tokens.splice(place + 3, 0, html);
    }
  };
  const href = (address: string): string => `${base}${address.slice(1)}.html`;

  const fence = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, place, options, env: PageState, self) => {
    const token = tokens[place]!;
    if (token.info.trim() !== "ts signature") return fence(tokens, place, options, env, self);
    token.info = "ts";
    const shown = fence(tokens, place, options, env, self);
    const uses = env.frontmatter?.reference?.uses ?? {};
    return shown.replace(/(?<=>)[^<>]+(?=<)/g, (text) =>
      text.replace(/\$?\w+/g, (name) =>
        Object.hasOwn(uses, name) ? `<a href="${href(uses[name]!)}">${name}</a>` : name,
      ),
    );
  };
}
