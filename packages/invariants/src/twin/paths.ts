/** Paths as the naive twin parses and writes them: character by character, without a world. */

/** One step of a path. */
export interface NaiveStep {
  /** As written in the path. */
  readonly raw: string;
  /** Without the backslashes that escape characters. */
  readonly name: string;
  /** Of a step like `#12`. */
  readonly index: number | undefined;
}

export interface NaivePath {
  /** Begins at the roots, whatever `from` says. */
  readonly isAbsolute: boolean;
  /** The separator or the prefix at the beginning of an absolute path, else the empty text. */
  readonly lead: string;
  readonly steps: readonly NaiveStep[];
}

/** A path as text, or a list of literal names. */
export type PathText = string | readonly string[];

/** @returns "bad-path" for an empty step or a single backslash at the end. The empty text has no steps. */
export function parsePath(path: PathText, separator: string, prefix?: string): NaivePath | "bad-path" {
  if (typeof path !== "string") return listed(path);
  if (path === "") return { isAbsolute: false, lead: "", steps: [] };
  const lead = [prefix ?? separator, separator].find((text) => path.startsWith(text)) ?? "";
  const isAbsolute = lead !== "";
  const raws = [""];
  let at = lead.length;
  while (at < path.length) {
    if (path.startsWith(separator, at)) {
      raws.push("");
      at += separator.length;
      continue;
    }
    const sign = path.charAt(at);
    if (sign === "\\" && at + 1 === path.length) return "bad-path";
    const signs = sign === "\\" ? path.slice(at, at + 2) : sign;
    raws.push(raws.pop()! + signs);
    at += signs.length;
  }
  return raws.includes("") ? "bad-path" : { isAbsolute, lead, steps: raws.map(stepOf) };
}

function listed(names: readonly string[]): NaivePath | "bad-path" {
  if (names.includes("")) return "bad-path";
  return { isAbsolute: false, lead: "", steps: names.map((name) => ({ raw: name, name, index: undefined })) };
}

function stepOf(raw: string): NaiveStep {
  const name = raw.replaceAll(/\\([\s\S])/g, "$1");
  return { raw, name, index: /^#(0|[1-9][0-9]*)$/.test(raw) ? Number(raw.slice(1)) : undefined };
}

/**
 * A backslash before each backslash, before `#` at the beginning, and before every character that would belong to a separator if
 * the name were between two separators.
 */
export function escapeNaively(name: string, separator: string): string {
  const between = separator + name + separator;
  const behind = separator.length + name.length;
  const inSeparators = new Set<number>();
  for (let at = 1; at < behind; at++) {
    if (!between.startsWith(separator, at)) continue;
    for (let sign = at; sign < at + separator.length; sign++) inSeparators.add(sign);
  }
  const signs = name.split("").map((sign, at) => {
    const isSpecial = sign === "\\" || (sign === "#" && at === 0) || inSeparators.has(separator.length + at);
    return isSpecial ? `\\${sign}` : sign;
  });
  return signs.join("");
}
