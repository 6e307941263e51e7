// Which errors the comment of a function documents (`documentedThrows`), and which function threw (`throwerOf`).
import { filesBelow, readDocument } from "./support.ts";

const PACKAGES = ["core", "query", "names", "document", "prefab", "transform", "three", "compiler"];

/** All source files that users import from, by path below the repository. */
export const sources: ReadonlyMap<string, string> = new Map(
  PACKAGES.flatMap((name) => filesBelow(`packages/${name}/src`, ".ts")).map((path) => [
    path,
    readDocument(path),
  ]),
);

/** The comment above a function, a method, a constant or a class; for overloads, the comment of the first. */
function docstringOf(text: string, name: string): string | undefined {
  const declared = `(?:export )?(?:declare )?(?:function\\*? |const |class )?${name}\\b[<(:]`;
  const comment = new RegExp(`(/\\*\\*(?:(?!\\*/)[^])*\\*/)\\s*\\n\\s*${declared}`).exec(text)?.[1];
  return comment?.replace(/^\s*(?:\/\*)?\*+\/?/gm, " ").replace(/\s+/g, " ");
}

/** The text after every @throws of a comment, up to the next tag. */
export function throwsIn(comment: string): string {
  return [...comment.matchAll(/@throws (.*?)(?= @[a-z]|\*\/|$)/g)].map(([, text]) => text!).join(" ");
}

/** The @throws of a function, and of other functions that they refer to: "as `spawn`". */
export function documentedThrows(path: string, name: string): string {
  const own = throwsIn(docstringOf(sources.get(path) ?? "", name) ?? "");
  const others = [...own.matchAll(/\bas `(\w+)`/g)].flatMap(([, other]) =>
    [...sources]
      .filter(([, text]) => text.includes(`export function ${other}`))
      .map(([place]) => (other === name ? "" : documentedThrows(place, other!))),
  );
  return [own, ...others].join(" ");
}

/** The function of Treeline that a program called and that threw, and the file in which the error was created. */
export function throwerOf(stack: string): { path: string; name: string; origin: string } | undefined {
  let thrower: { path: string; name: string; origin: string } | undefined;
  for (const line of stack.split("\n").filter((text) => /^\s+at /.test(text))) {
    const path = /packages\/(?:core|query|names|document|transform|three)\/src\/[\w/-]+\.ts/.exec(line)?.[0];
    if (path === undefined) return thrower;
    // Functions without a name are called by others that have one.
    const name =
      /at (?:new )?(?:[\w$]+\.)*([\w$]+) (?:\[as \w+\] )?\(/.exec(line)?.[1] ?? thrower?.name ?? "";
    thrower = { path, name, origin: thrower?.origin ?? path };
  }
  return thrower;
}
