// Everything that programs can import, by the import that they write: one record for each export, however many entry points have it.
import { existsSync } from "node:fs";
import { readJson, readText, root } from "../lib.mjs";
import { parseComment } from "./comments.mjs";
import { commentBefore, declarationOf, exportsOf, nodesBelow } from "./modules.mjs";
import { topicsOf } from "./topics.mjs";

/** The packages that programs import from; the scoped ones behind the first are for libraries. */
const PACKAGES = ["packages/treeline", "packages/compiler"];
/** Called by compiled code, or by Node's loader: no program imports them. */
const NOT_IMPORTED = new Set(["./compiled", "./compiled-kernels", "./loader", "./register", "./internal"]);
/** The import that page after page repeats has the short addresses: /reference/spawn. */
const MAIN = PACKAGES[0];

let points;

/** All entry points: [{ specifier: "treeline/document/json", place: "document/json", path, about }]; `place` is "" for the main one. */
export function entryPoints() {
  points ??= PACKAGES.filter((folder) => existsSync(`${root}/${folder}/package.json`)).flatMap((folder) => {
    const { name, exports } = readJson(`${folder}/package.json`);
    return Object.entries(exports)
      .filter(([entry, target]) => target.types !== undefined && !NOT_IMPORTED.has(entry))
      .map(([entry, { types, "treeline-source": source }]) => ({
        specifier: `${name}${entry.slice(1)}`,
        place: folder === MAIN ? entry.slice(2) : `${folder.slice("packages/".length)}${entry.slice(1)}`,
        path: `${folder}/${types.slice(2)}`,
        about: /^\/\*\* ([\s\S]*?) \*\//.exec(readText(`${folder}/${source.slice(2)}`))?.[1] ?? "",
      }));
  });
  return points;
}

const KINDS = {
  TSDeclareFunction: "function",
  FunctionDeclaration: "function",
  VariableDeclaration: "constant",
  ClassDeclaration: "class",
  TSInterfaceDeclaration: "interface",
  TSTypeAliasDeclaration: "type",
};

export const isType = ({ kind }) => kind === "interface" || kind === "type";

let known;

/**
 * All exports, by the file and name of their declaration:
 * { name, kind, module, declarations, comment, entries, topic, uses, url } with `entries` the entry points that have it, the first one
 * its home, and `uses` the exports that its declaration mentions.
 */
export function allExports() {
  if (known !== undefined) return known;
  known = new Map();
  for (const entry of entryPoints()) {
    for (const name of exportsOf(entry.path)) {
      const found = declarationOf(entry.path, name);
      if (found === undefined) continue;
      // `sort` of one entry point is `sortChildren` of another: each is a page.
      const key = `${found.module.path}#${found.name}${name === found.name ? "" : `#${name}`}`;
      const one = known.get(key);
      if (one === undefined)
        known.set(key, { ...found, key, name, declaredName: found.name, entries: [entry] });
      else one.entries.push(entry);
    }
  }
  for (const one of known.values()) {
    const { declarations, module } = one;
    one.kind = KINDS[declarations[0].node.type];
    one.comment = parseComment(declarations.find(({ comment }) => comment !== undefined)?.comment);
    one.source = module.path.replace("/dist/", "/src/").replace(/\.d\.ts$/, ".ts");
  }
  for (const one of known.values()) one.uses = mentionedIn(one);
  for (const one of known.values()) one.usedBy = [...known.values()].filter(({ uses }) => uses.includes(one));
  fileNames();
  setTopics();
  return known;
}

/** The export that a name means in a file, or undefined. */
export function exportNamed(path, name) {
  const found = declarationOf(path, name);
  if (found === undefined) return undefined;
  return (
    known.get(`${found.module.path}#${found.name}#${name}`) ?? known.get(`${found.module.path}#${found.name}`)
  );
}

function mentionedIn(one) {
  const names = new Set();
  for (const { node } of one.declarations) {
    for (const inner of nodesBelow(node)) if (inner.type === "Identifier") names.add(inner.name);
  }
  const found = [...names].map((name) => exportNamed(one.module.path, name));
  return [...new Set(found)].filter((other) => other !== undefined && other !== one);
}

/** Where file names differ in case only, as some systems do not tell apart, the capitalised one gets its kind at the end. */
function fileNames() {
  const taken = new Map();
  const all = [...known.values()];
  const placeOf = ({ entries: [{ place }], name }) => `${place}/${name}`.toLowerCase();
  for (const one of all) taken.set(placeOf(one), [...(taken.get(placeOf(one)) ?? []), one]);
  for (const twins of taken.values()) {
    for (const one of twins) {
      const isSecond = twins.length > 1 && /^[A-Z]/.test(one.name);
      const place = one.entries[0].place;
      one.file = `${place && `${place}/`}${one.name}${isSecond ? `-${one.kind}` : ""}`;
      one.url = `/reference/${one.file}`;
    }
  }
}

/** Functions and values have theirs in the list; a type has that of the first one that mentions it, over other types if it must be. */
function setTopics() {
  const all = [...known.values()];
  for (const one of all) {
    const topics = topicsOf(one.entries[0].place);
    one.topic = [...topics].find(([, names]) => names.includes(one.name))?.[0];
  }
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const one of all.filter((type) => type.topic === undefined && isType(type))) {
      const user = all
        .filter(({ topic, uses, entries }) => topic && uses.includes(one) && entries[0] === one.entries[0])
        .sort((a, b) => placeIn(a) - placeIn(b))[0];
      if (user === undefined) continue;
      one.topic = user.topic;
      isChanged = true;
    }
  }
  for (const one of all) if (one.topic === undefined && isType(one)) one.topic = "Types";
}

function placeIn(one) {
  const order = [...topicsOf(one.entries[0].place).values()].flat();
  return isType(one) ? order.length : order.indexOf(one.name);
}

/** The members of an interface, a class or an object type, inherited ones first: [{ name, text, comment }]; none for other types. */
export function membersOf({ declarations, module }) {
  const [{ node }] = declarations;
  const parents = (node.extends ?? []).map(({ expression }) => declarationOf(module.path, expression.name));
  return [...parents.filter(Boolean).flatMap(membersOf), ...ownMembers(node, module)];
}

function ownMembers(node, module) {
  const body =
    node.body?.body ?? (node.typeAnnotation?.type === "TSTypeLiteral" ? node.typeAnnotation.members : []);
  return body
    .filter(({ accessibility, key }) => accessibility !== "private" && key?.type !== "PrivateIdentifier")
    .map((member) => ({
      name: member.key ? module.text.slice(member.key.start, member.key.end) : "",
      text: textOf(module, member).replace(/;$/, ""),
      comment: parseComment(commentBefore(module, member.start)),
    }));
}

/** The text of a node without comments. */
export function textOf({ text, ranges }, { start, end }) {
  let result = "";
  let from = start;
  for (const comment of ranges) {
    if (comment.start < start || comment.end > end) continue;
    result += text.slice(from, comment.start);
    from = comment.end;
  }
  return (result + text.slice(from, end)).replace(/\n[ \t]*(?=\n)/g, "");
}

/** The parameters of the longest overload: [{ name, type, isOptional, uses }]. */
export function parametersOfFunction({ declarations, module }) {
  const functions = declarations.filter(({ node }) => node.params !== undefined);
  const [longest] = functions.toSorted((one, other) => other.node.params.length - one.node.params.length);
  return (longest?.node.params ?? []).map((parameter) => {
    const inner = parameter.type === "RestElement" ? parameter.argument : parameter;
    const annotation = (parameter.typeAnnotation ?? inner.typeAnnotation)?.typeAnnotation;
    const type = annotation && textOf(module, annotation);
    return {
      name: inner.name ?? "options",
      isOptional: inner.optional === true,
      isRest: parameter.type === "RestElement",
      type,
      uses:
        type && [...type.matchAll(/\w+/g)].map(([name]) => exportNamed(module.path, name)).filter(Boolean),
    };
  });
}
