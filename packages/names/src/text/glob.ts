/** Texts with wildcards. */

/** What a glob is made of: literal text, `*`, `?`. */
type Part = string | typeof TEXT | typeof SIGN;

/** `*`: any text, also none. */
const TEXT = 0;
/** `?`: one character. */
const SIGN = 1;

export type Glob = readonly Part[];

const HIGH_FIRST = 0xd800;
const LOW_FIRST = 0xdc00;
const LOW_END = 0xe000;

/**
 * Reads a text in which `*` and `?` stand for others; a backslash makes the next character literal, and does not stand
 * at the end.
 */
export function readGlob(text: string): Glob {
  const parts: Part[] = [];
  let literal = "";
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === "*" || sign === "?") {
      if (literal !== "") parts.push(literal);
      literal = "";
      const part = sign === "*" ? TEXT : SIGN;
      if (part === SIGN || parts.at(-1) !== TEXT) parts.push(part);
      continue;
    }
    if (sign === "\\") at++;
    literal += text[at]!;
  }
  if (literal !== "") parts.push(literal);
  return parts;
}

/** The text itself, if nothing in the glob stands for others. */
export function literalOf(glob: Glob): string | undefined {
  return glob.length === 1 && typeof glob[0] === "string" ? glob[0] : undefined;
}

/**
 * Cost: the length of the text times that of the glob at worst: of several `*` only the last one is tried again, since
 * what the ones before it have taken need not be less.
 */
export function matchesGlob(glob: Glob, text: string): boolean {
  let at = 0;
  let part = 0;
  let retryPart = -1; // behind the last `*`
  let retryAt = 0;
  for (;;) {
    const end = part < glob.length ? endOfPart(glob[part]!, text, at) : -1;
    if (part === glob.length && at === text.length) return true;
    if (glob[part] === TEXT) {
      part++;
      retryPart = part;
      retryAt = at;
    } else if (end >= 0) {
      at = end;
      part++;
    } else {
      retryAt++;
      if (retryPart < 0 || retryAt > text.length) return false;
      at = retryAt;
      part = retryPart;
    }
  }
}

/** Where the text goes on behind one part; -1 if the part does not stand here. */
function endOfPart(part: Part, text: string, at: number): number {
  if (typeof part === "string") return text.startsWith(part, at) ? at + part.length : -1;
  if (at === text.length) return -1;
  const sign = text.charCodeAt(at);
  const next = text.charCodeAt(at + 1);
  const isPair = sign >= HIGH_FIRST && sign < LOW_FIRST && next >= LOW_FIRST && next < LOW_END;
  return at + (isPair ? 2 : 1);
}
