// What a block of a page in docs/coming-from means: "ts koota" is the program of the other side, and the block after it is ours.

/** The languages of other sides. */
const LANGUAGES = ["ts", "c", "rust", "csharp"];

/**
 * The pairs of programs of a page, in order.
 *
 * A fence whose info has a second word, the name of a library, is a program of that library. A `ts` block must follow: the same program
 * here. The `text` block after it is what both print, unless a `text` block with the name of the library follows too.
 */
export function pairsOf(page) {
  const fences = page.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm);
  const blocks = [...fences].map(([, info, text]) => ({ info: info.trim(), text: text.trimEnd() }));
  return blocks.flatMap(({ info, text }, place) => {
    const [language, library] = info.split(" ");
    if (library === undefined || !LANGUAGES.includes(language)) return [];
    const [ours, output, other] = blocks.slice(place + 1);
    if (ours?.info !== "ts") throw new Error(`no program of ours follows that of ${library}:\n${text}`);
    const printed = output?.info === "text" ? output.text : "";
    const theirs = other?.info === `text ${library}` ? other.text : printed;
    return [{ language, library, program: text, output: theirs, isSame: theirs === printed }];
  });
}
