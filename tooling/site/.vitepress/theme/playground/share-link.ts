/** A program as the fragment of a link, `#code=z.`, and back: browsers do not send fragments to servers. */

/** In characters: chats and mail programs cut links that are much longer. */
export const LONGEST_LINK = 16_000;
/** In bytes, so that a small link cannot become a text that fills the memory. */
const LONGEST_PROGRAM = 500_000;

const START = "#code=";
const DAMAGED =
  "This link is damaged: no program can be read from it. Ask for the link again; it may have been cut off at its end.";

/** What is wrong with a link, in words for readers. */
export class LinkError extends Error {}

/** @param canCompress false for browsers without `CompressionStream`: the text is then in the link as it is. */
export async function fragmentOf(
  program: string,
  canCompress = typeof CompressionStream === "function",
): Promise<string> {
  const bytes = new TextEncoder().encode(program);
  const fragment = canCompress
    ? `${START}z.${toText(await through(bytes, new CompressionStream("deflate"), Number.POSITIVE_INFINITY))}`
    : `${START}t.${toText(bytes)}`;
  if (fragment.length > LONGEST_LINK) {
    const length = fragment.length.toLocaleString("en");
    throw new LinkError(
      `The program is too long for a link: it would have ${length} characters, and at most ${LONGEST_LINK.toLocaleString("en")} arrive everywhere. Share the text itself.`,
    );
  }
  return fragment;
}

/** @returns the program, or undefined if the fragment is of another kind. @throws LinkError if it is damaged. */
export async function programOfFragment(fragment: string): Promise<string | undefined> {
  if (!fragment.startsWith(START)) return undefined;
  const [, kind, text] = /^([a-z])\.([\w-]+)$/.exec(fragment.slice(START.length)) ?? [];
  if (text === undefined || (kind !== "z" && kind !== "t")) throw new LinkError(DAMAGED);
  try {
    const bytes = toBytes(text);
    const whole =
      kind === "t" ? bytes : await through(bytes, new DecompressionStream("deflate"), LONGEST_PROGRAM);
    return new TextDecoder("utf-8", { fatal: true }).decode(whole);
  } catch (error) {
    throw error instanceof LinkError ? error : new LinkError(DAMAGED);
  }
}

/** Where a tab keeps the link of the last example that its reader was about to open. */
const OWN = "treeline-own-link";

/** Tells the playground of this tab that a link is of a page of the site. */
export function rememberOwnLink(fragment: string): void {
  try {
    sessionStorage.setItem(OWN, fragment);
  } catch {
    // not allowed; the playground then says that the program came with a link
  }
}

/** Whether an example of the site has made the link, in this tab: its reader has seen the program already. */
export function isOwnLink(fragment: string): boolean {
  try {
    return sessionStorage.getItem(OWN) === fragment;
  } catch {
    return false;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  { readable, writable }: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array> {
  const writer = writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  written.catch(() => {}); // reading fails in the same way
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const reader = readable.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new LinkError("The program of this link is too long.");
    }
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** base64url, without padding. */
function toText(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
}
