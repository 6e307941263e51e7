// Reads doc comments: text, parameters, what is returned, who throws which code, cost, examples.
import { moduleAt } from "./modules.mjs";

/** The codes of `TreelineErrorCode`, in its order. */
export function errorCodes() {
  const [{ node }] = moduleAt("packages/core/src/base/error.ts").declared.get("TreelineErrorCode");
  return node.typeAnnotation.types.map(({ literal }) => literal.value);
}

/** @param comment what stands between the signs of a comment. @returns { text, summary, rest, tags: [{ tag, text }] } */
export function parseComment(comment = "") {
  const lines = comment
    .replace(/^\*/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  const tags = [];
  let text = "";
  for (const line of lines) {
    // Of one line several tags may stand, such as "Makes room. @returns its place. @throws ..."; not in examples.
    const parts = tags.at(-1)?.tag === "example" ? [line] : line.split(/(?:^|(?<=[\s*]))(?=@[a-z]+\b)/);
    for (const part of parts) {
      const [, tag, first] = /^@([a-z]+)\s*(.*)$/.exec(part) ?? [];
      if (tag !== undefined) tags.push({ tag, text: first });
      else if (tags.length > 0) tags.at(-1).text += `\n${part}`;
      else text += `${part}\n`;
    }
  }
  const whole = withoutLinks(text.trim());
  const summary = firstSentence(whole);
  return {
    text: whole,
    summary,
    rest: whole.slice(summary.length).trim(),
    tags: tags.map(({ tag, text: inner }) => ({ tag, text: withoutLinks(inner).trim() })),
  };
}

const withoutLinks = (text) => text.replace(/\{@link (\S+?)\}/g, "`$1`");

/** Up to a period, question mark or colon that ends a paragraph's first sentence; a period inside of code does not end it. */
function firstSentence(text) {
  const [paragraph] = text.split(/\n\n|\n(?=- )/);
  let isCode = false;
  for (let at = 0; at < paragraph.length; at++) {
    if (paragraph[at] === "`") isCode = !isCode;
    if (!isCode && /[.?]/.test(paragraph[at]) && /^(?:\s+[A-Z`\d]|\s*$)/.test(paragraph.slice(at + 1)))
      return paragraph.slice(0, at + 1);
  }
  return paragraph;
}

export const tagsOf = (comment, tag) =>
  comment.tags.filter((one) => one.tag === tag).map(({ text }) => text.replace(/\s+/g, " "));

/** "place 0-based." -> { name: "place", text: "0-based." }; names of fields of options too: "options.by" */
export function parametersOf(comment) {
  return tagsOf(comment, "param").map((text) => {
    const [, name, rest] = /^(\S+)\s*(?:- )?(.*)$/.exec(text) ?? [];
    return { name, text: rest };
  });
}

/** What begins a part of a `@throws`: one or several codes; "as `f`"; or what throws, where that is no code of ours. */
const CODES = /^(in (?:checked|development) builds )?((?:`[a-z-]+`(?:, and |, | and | or )?)+)(.*)$/;
const SAME = /^as `(\w+)`(?: of `[^`]+`)?(?: does)?(.*)$/;
const OTHER = /^(?:what|the (?:first )?error|the errors)\b/i;

/**
 * What a comment says of errors: { codes: [{ code, when }], same: [{ name, when }] for functions that throw the same, others: texts for
 * what has no code of its own, such as what a passed function throws, notes: sentences that follow, unread: what has another form }.
 *
 * A `@throws` is parts with semicolons between: "TreelineError `bad-path` if a step is empty; as `lookup`; what hooks throw. Note."
 */
export function throwsOf(comment) {
  const known = new Set(errorCodes());
  const found = { codes: [], same: [], others: [], notes: [], unread: [] };
  for (const text of tagsOf(comment, "throws")) {
    const plain = text.replace(/^(?:TreelineError|DocumentError|Error)\b[ :,]*/, "").replace(/\.$/, "");
    let last; // what a part without a beginning of its own continues
    for (const sentence of plain.split(/(?<=\w|`|\))\. (?=[A-Z`])/)) {
      if (last !== undefined && !sentence.startsWith("`")) {
        found.notes.push(`${sentence}.`);
        continue;
      }
      for (const whole of sentence.split(/[;,] and (?=as `|what )|; (?:and )?/)) {
        const part = whole.trim();
        const [, build = "", heads = "", when] = CODES.exec(part) ?? [];
        const codes = [...heads.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code);
        const [, name, rest] = SAME.exec(part) ?? [];
        if (codes.length > 0 && codes.every((code) => known.has(code))) {
          last = codes.map((code) => ({ code, when: `${build}${when}`.replace(/^,/, "").trim() }));
          found.codes.push(...last);
        } else if (name !== undefined) {
          last = [{ name, when: rest.replace(/^,/, "").trim() }];
          found.same.push(...last);
        } else if (OTHER.test(part)) {
          last = [{ when: part }];
          found.others.push(...last);
        } else if (last === undefined) found.unread.push(part);
        else for (const one of last) one.when += `; ${part}`;
      }
    }
  }
  return found;
}
