// Reads modules and declaration files: their statements with comments, and where a name that one exports or uses is declared.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path/posix";
import { readJson, readText, root } from "../lib.mjs";

const { parseSync, visitorKeys } = createRequire(`${root}/packages/compiler/package.json`)("oxc-parser");

/** All nodes below one, itself included, parents first; nothing below a node for which `isLeft` is true. */
export function* nodesBelow(node, isLeft = () => false) {
  yield node;
  if (isLeft(node)) return;
  for (const key of visitorKeys[node.type] ?? []) {
    for (const inner of [node[key]].flat()) if (inner?.type) yield* nodesBelow(inner, isLeft);
  }
}

/** The text of the doc comment that ends directly before a place, or undefined. */
export function commentBefore({ text, comments }, place) {
  const comment = comments.get(text.slice(0, place).trimEnd().length);
  return comment?.startsWith("*") ? comment : undefined;
}

const modules = new Map();

/**
 * A parsed file: `declared`, name -> its declarations; `links`, name -> { path, original } for what it imports or exports again;
 * `all`, files that it exports again as a whole.
 */
export function moduleAt(path) {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const text = readText(path);
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const module = {
    path,
    text,
    program,
    comments: new Map(comments.map(({ end, value }) => [end, value])),
    ranges: comments,
    declared: new Map(),
    links: new Map(),
    all: [],
    exports: undefined,
  };
  for (const statement of program.body) file(module, statement);
  modules.set(path, module);
  return module;
}

function file(module, statement) {
  const { declaration, source, specifiers } = statement;
  const from = source && targetOf(module.path, source.value);
  if (source && from !== undefined) {
    for (const one of specifiers ?? []) {
      const inner = one.imported?.name ?? one.local.name;
      if (statement.type === "ImportDeclaration")
        module.links.set(one.local.name, { path: from, original: inner });
      else module.links.set(one.exported.name, { path: from, original: one.local.name });
    }
    if (statement.type === "ExportAllDeclaration") module.all.push(from);
    return;
  }
  const node = declaration ?? statement;
  for (const { id } of node.type === "VariableDeclaration" ? node.declarations : [node]) {
    if (id?.type !== "Identifier") continue;
    const comment = commentBefore(module, statement.start);
    const isExported = statement.type === "ExportNamedDeclaration";
    const known = module.declared.get(id.name) ?? [];
    module.declared.set(id.name, [...known, { node, statement, comment, isExported }]);
  }
}

/** The file that a specifier means in a file of a package: a source for a source, else a declaration file; undefined for other hosts' packages. */
function targetOf(path, specifier) {
  const isSource = !path.endsWith(".d.ts");
  if (specifier.startsWith("."))
    return join(dirname(path), specifier.replace(/(?:\.d)?\.[jt]s$/, isSource ? ".ts" : ".d.ts"));
  const [, name, entry = ""] = /^@treeline\/([\w-]+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === undefined || !existsSync(`${root}/packages/${name}`)) return undefined;
  const target = readJson(`packages/${name}/package.json`).exports[`.${entry}`];
  return target && join(`packages/${name}`, isSource ? target["treeline-source"] : target.types);
}

/** Where a name of a file is declared: { module, name, declarations }; undefined for one of another host's package. */
export function declarationOf(path, name) {
  const module = moduleAt(path);
  const declarations = module.declared.get(name);
  if (declarations !== undefined) return { module, name, declarations };
  const link = module.links.get(name);
  if (link !== undefined) return declarationOf(link.path, link.original);
  for (const inner of module.all) {
    if (exportsOf(inner).includes(name)) return declarationOf(inner, name);
  }
  return undefined;
}

/** The names that a file exports, in its order. */
export function exportsOf(path) {
  const module = moduleAt(path);
  module.exports ??= listExports(module);
  return module.exports;
}

function listExports({ program, all }) {
  const own = program.body
    .filter(({ type }) => type === "ExportNamedDeclaration")
    .flatMap(({ declaration, specifiers }) =>
      declaration
        ? (declaration.declarations ?? [declaration]).map(({ id }) => id.name)
        : specifiers.map(({ exported }) => exported.name),
    );
  return [...new Set([...own, ...all.flatMap(exportsOf)])];
}
