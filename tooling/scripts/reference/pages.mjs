// Writes the page of an export, and the index of an entry point, as Markdown.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib.mjs";
import { parametersOf, parseComment, tagsOf, throwsOf } from "./comments.mjs";
import { allExports, isType, membersOf, parametersOfFunction } from "./exports.mjs";
import { examplesOf, playgroundLink } from "./programs.mjs";
import { topicsOf } from "./topics.mjs";

const HAS_PLAYGROUND = existsSync(join(root, "tooling/site/pages/playground.md"));

/** Prose of doc comments: `<` outside of code is no tag. Lines are joined, lists and paragraphs stay. */
export const prose = (text) =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part.replace(/\s*\n\s*/g, " ") : part.replaceAll("<", "&lt;")))
    .join("");

const sentence = (text) =>
  text === "" ? "" : `${text[0].toUpperCase()}${text.slice(1)}${/[.?!:]$/.test(text) ? "" : "."}`;
const code = (text) => `\`${text.replace(/\s+/g, " ")}\``;
const link = (one, text = one.name) => `[\`${text}\`](${one.url})`;
const fence = (info, text) => `\`\`\`${info}\n${text.trim()}\n\`\`\``;
const section = (title, body) => (body === undefined || body === "" ? [] : [`## ${title}`, body]);

/** For terms that are a word: they stand beside what is said of them. */
const SHORT = " is-short";

/** Terms with what is said of each: [[term, text]] in Markdown. */
const list = (rows, kind = "") =>
  rows.length === 0
    ? ""
    : `<dl class="reference-list${kind}">\n\n${rows.map(([term, text]) => `<dt>\n\n${term}\n\n</dt>\n<dd>\n\n${text}\n\n</dd>`).join("\n")}\n\n</dl>`;

const KIND_NAMES = {
  function: "Function",
  constant: "Value",
  class: "Class",
  interface: "Type",
  type: "Type",
};

function importLines(one) {
  const [home, ...others] = one.entries;
  const name = isType(one) ? `type ${one.name}` : one.name;
  const also = others.map(({ specifier }) => ` // or "${specifier}"`).join("");
  return fence("ts", `import { ${name} } from "${home.specifier}";${also}`);
}

/** Parameters that have a comment, and what can be passed as options, with all their fields. */
function parameters(one) {
  const described = new Map(parametersOf(one.comment).map(({ name, text }) => [name, text]));
  const parameters = parametersOfFunction(one);
  const rows = parameters
    .filter(({ name }) => described.has(name))
    .map(({ name, type, isOptional, isRest }) => [
      code(`${isRest ? "..." : ""}${name}${isOptional ? "?" : ""}${type ? `: ${type}` : ""}`),
      sentence(prose(described.get(name))),
    ]);
  const fields = parameters
    .flatMap(({ name, uses }) => (uses ?? []).map((type) => ({ name, type })))
    .filter(({ type }) => type.kind === "interface" && /Options$/.test(type.name))
    .map(({ name, type }) => `Fields of ${code(name)}, ${link(type)}:\n\n${members(type)}`);
  return [list(rows), ...new Set(fields)].filter(Boolean).join("\n\n");
}

function members(one) {
  const rows = membersOf(one).map(({ text, comment }) => [
    code(text.replace(/^readonly /, "").replace(/^(\w+\?: .*) \| undefined$/, "$1")),
    sentence(prose(comment.text)) +
      tagsOf(comment, "throws")
        .map((text) => ` Throws ${prose(text).replace(/^TreelineError /, "")}`)
        .join(""),
  ]);
  return list(rows);
}

/** A row for each code; "as `f`" is replaced by what that function's comment says. */
function thrown(one, whenOf) {
  const rows = [...codesThrownBy(one)].map(([code, whens]) => [
    `[\`${code}\`](/errors#${code})`,
    sentence(prose(whens.filter(Boolean).join("; ")) || whenOf(code)),
  ]);
  const { others, notes } = throwsOf(one.comment);
  const more = [...others.map(({ when }) => sentence(prose(when))), ...notes.map(prose)].join(" ");
  return [list(rows, SHORT), more && (rows.length > 0 ? `Also: ${more}` : more)].filter(Boolean).join("\n\n");
}

/** code -> [when], with those of functions that throw the same. */
export function codesThrownBy(one, asked = new Set()) {
  asked.add(one);
  const result = new Map();
  const put = (code, when) => result.set(code, [...new Set([...(result.get(code) ?? []), when])]);
  const { codes, same, others } = throwsOf(one.comment);
  for (const { code, when } of codes) {
    const [, other, rest] = /^as `(\w+)`(?: does)?(.*)$/.exec(when) ?? [];
    const referred = other && functionNamed(other, one);
    const theirs = referred && !asked.has(referred) && codesThrownBy(referred, asked).get(code);
    for (const each of theirs || [when]) put(code, theirs ? `${each}${rest}` : when);
  }
  for (const { name, when } of same) {
    const referred = functionNamed(name, one);
    if (referred === undefined || asked.has(referred)) continue;
    for (const [code, whens] of codesThrownBy(referred, asked)) {
      if (!result.has(code)) for (const each of whens) put(code, [each, when].filter(Boolean).join(", "));
    }
  }
  for (const { when } of others)
    for (const [, code] of when.matchAll(/such as `([a-z-]+)`/g))
      if (!result.has(code)) put(code, when.replace(/, such as.*/, ""));
  asked.delete(one);
  return result;
}

/** The function that a comment means by a name: of its own module's entry point first. */
export function functionNamed(name, from) {
  const all = [...allExports().values()].filter((each) => each.name === name && !isType(each));
  return all.find(({ entries }) => entries[0] === from.entries[0]) ?? all[0];
}

/** With the whole program of each, where it can run alone: the playground shows what the world is afterwards. */
const examples = (one) =>
  examplesOf(one)
    .map(({ text, program }) =>
      [
        fence("ts", text),
        program && HAS_PLAYGROUND && `[Run it in the playground](${playgroundLink(program)})`,
      ]
        .filter(Boolean)
        .join("\n\n"),
    )
    .join("\n\n");

/** @param more { signature, since, whenOf, guides } @returns the page in Markdown. */
export function pageOf(one, { signature, since, whenOf, guides }) {
  const { comment, topic, entries } = one;
  const cost = tagsOf(comment, "cost").map((text) => sentence(prose(text)));
  const returns = tagsOf(comment, "returns").map((text) => sentence(prose(text)));
  const siblings = siblingsOf(one);
  const overloads = one.declarations
    .slice(1)
    .flatMap(({ comment: other }) => (other ? [parseComment(other).text] : []));
  return [
    `---\ntitle: ${JSON.stringify(one.name)}\ndescription: ${JSON.stringify(comment.summary.replace(/\s+/g, " "))}\npageClass: reference-page\noutline: 2\nprev: false\nnext: false\nreference: ${JSON.stringify(aboutPage(one))}\n---`,
    `# ${one.name.replace("$", "\\$")}`,
    `<p class="reference-facts"><span>${KIND_NAMES[one.kind]}</span><a href="${indexUrl(entries[0])}#${slug(topic)}">${topic}</a><span>since ${since}</span></p>`,
    prose(comment.summary),
    importLines(one),
    fence("ts signature", signature),
    prose(comment.rest),
    ...overloads.map(prose),
    ...section(
      one.kind === "function" ? "Parameters" : "Members",
      one.kind === "function" ? parameters(one) : members(one),
    ),
    ...section("Returns", returns.join(" ")),
    ...section("Throws", thrown(one, whenOf)),
    ...section("Cost", cost.join(" ")),
    ...section("Example", examples(one)),
    ...section("Used by", isType(one) ? one.usedBy.map((user) => link(user)).join(", ") : ""),
    ...section(
      "Guides",
      guides
        .map(({ title, section: part, url }) => `- [${title}${part ? `: ${part}` : ""}](${url})`)
        .join("\n"),
    ),
    ...section(
      topic === "Types" ? "See also" : `More of ${topic[0].toLowerCase()}${topic.slice(1)}`,
      siblings.map((other) => link(other)).join(", "),
    ),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** What the site knows of a page: see `tooling/site/.vitepress/reference.ts`. */
const aboutPage = (one) => ({
  entry: one.entries[0].specifier,
  isType: isType(one),
  parameters: one.kind === "function" ? parametersOfFunction(one).map(({ name }) => name) : [],
  uses: Object.fromEntries(one.uses.map(({ name, url }) => [name, url])),
});

const siblingsOf = (one) =>
  membersOfTopic(one.entries[0], one.topic).filter((other) => other !== one && !isType(other));

/** What an entry point has below a heading, in the order of the list; types at the end. */
function membersOfTopic(entry, topic) {
  const order = topicsOf(entry.place).get(topic) ?? [];
  const all = [...allExports().values()].filter(
    (one) => one.entries.includes(entry) && topicIn(one, entry) === topic,
  );
  const placeOf = (one) => (isType(one) ? order.length : order.indexOf(one.name));
  return all.sort((one, other) => placeOf(one) - placeOf(other));
}

/** An export has its home's topic; in another entry point that of the list there. */
function topicIn(one, entry) {
  if (entry === one.entries[0]) return one.topic;
  return [...topicsOf(entry.place)].find(([, names]) => names.includes(one.name))?.[0] ?? "Types";
}

export const indexUrl = ({ place }) => `/reference/${place && `${place}/`}`;
export const slug = (text) => text.toLowerCase().replace(/[^\w]+/g, "-");

/** The topics of an entry point that have something. */
export const topicsIn = (entry) =>
  [...topicsOf(entry.place).keys(), "Types"].filter((topic) => membersOfTopic(entry, topic).length > 0);

/** The index of an entry point: a line for each export, types together at the end of their topic. */
export function indexOf(entry, entries) {
  const topics = topicsIn(entry).map((topic) => {
    const all = membersOfTopic(entry, topic);
    const values = all.filter((one) => !isType(one));
    const types = all.filter(isType);
    return [
      `## ${topic}`,
      list(
        (values.length > 0 ? values : types).map((one) => [
          link(one),
          prose(one.comment.summary).replace(/\s+/g, " "),
        ]),
        SHORT,
      ),
      values.length > 0 && types.length > 0 && `Types: ${types.map((one) => link(one)).join(", ")}`,
    ]
      .filter(Boolean)
      .join("\n\n");
  });
  const isMain = entry.place === "";
  const others = entries.filter((other) => other !== entry);
  return [
    `---\ntitle: ${JSON.stringify(isMain ? "Reference" : entry.specifier)}\npageClass: reference-page\noutline: 2\nprev: false\nnext: false\n---`,
    `# ${isMain ? "Reference" : code(entry.specifier)}`,
    isMain ? ABOUT : prose(entry.about),
    fence("ts", `import { ${example(entry)} } from "${entry.specifier}";`),
    ...topics,
    ...(isMain
      ? [
          "## Other entry points",
          list(
            others.map((other) => [
              `[\`${other.specifier}\`](${indexUrl(other)})`,
              topicsIn(other)
                .flatMap((topic) => membersOfTopic(other, topic).filter((one) => !isType(one)))
                .slice(0, 6)
                .map((one) => link(one))
                .join(", "),
            ]),
            SHORT,
          ),
        ]
      : []),
  ]
    .filter(Boolean)
    .join("\n\n");
}

const ABOUT = `Everything that programs import from \`treeline\`, and from its [other entry points](#other-entry-points). Each page says what a
function does, what it costs, which errors it throws, and since which version it is there; 0.1.0 was never published, so 0.2.0 is the
first version that has any of it. What errors mean is on [a page of their own](/errors).`;

const example = (entry) =>
  membersOfTopic(entry, topicsIn(entry)[0])
    .slice(0, 3)
    .map(({ name }) => name)
    .join(", ");
