// Which codes a function can throw, by a walk over the sources: what it calls by name, methods of its class, slots, and functions that it passes.
import { filesBelow } from "../lib.mjs";
import { errorCodes } from "./comments.mjs";
import { CALLS } from "./impossible.mjs";
import { declarationOf, moduleAt, nodesBelow } from "./modules.mjs";

const PACKAGES = ["core", "query", "names", "document", "prefab", "transform", "three"];
/** Methods of arrays and maps: a call of one says nothing of a class that has one of that name. */
const PLAIN = new Set(
  [
    Array.prototype,
    Map.prototype,
    Set.prototype,
    String.prototype,
    Object.prototype,
    Int32Array.prototype,
  ].flatMap((one) => Object.getOwnPropertyNames(one)),
);

/** What docs/errors.md says at its beginning of all functions at once. */
const GENERAL = new Set([
  "requireOptions", // unknown options
  "requireWorld", // a first argument that is no world
  "requireOneOfEachName", // two definitions of one name
  "mayCall", // observers that lead to observers
  "noteFailure",
  "growSlice", // a table or the memory that cannot grow
]);

/** { name, module, node, codes, calls, isCheck }: a function at the top of a module, or a method as "Class.method", with what it does itself. */
function functionsOf(module) {
  const found = [];
  const put = (name, node) => found.push({ name, module, node });
  for (const [name, [{ node }]] of module.declared) {
    const whole = module.declared.get(name).find((one) => one.node.type === "FunctionDeclaration"); // after its overloads
    if (whole !== undefined) put(name, whole.node);
    else if (node.type === "VariableDeclaration") {
      const { init } = node.declarations.find(({ id }) => id.name === name);
      if (/Function/.test(init?.type)) put(name, init);
    } else if (node.type === "ClassDeclaration")
      for (const member of node.body.body)
        if (member.value?.type === "FunctionExpression") put(`${name}.${member.key.name}`, member.value);
  }
  return found;
}

const literalsIn = (node, known) =>
  [...nodesBelow(node, ({ type }) => /Function|CallExpression|NewExpression/.test(type))]
    .filter(({ type, value }) => type === "Literal" && known.has(value))
    .map(({ value }) => value);

/** The names that a function binds: parameters and variables, which are no functions of the module. */
function localsOf(node) {
  const found = new Set();
  const bind = (pattern) => {
    if (pattern?.type === "Identifier") found.add(pattern.name);
    else if (pattern !== undefined && pattern !== null)
      for (const inner of [
        pattern.argument,
        pattern.left,
        pattern.value,
        ...(pattern.properties ?? pattern.elements ?? []),
      ])
        bind(inner);
  };
  for (const inner of nodesBelow(node)) {
    if (inner.type === "VariableDeclarator") bind(inner.id);
    for (const parameter of inner.params ?? []) if (parameter.type !== "TSTypeParameter") bind(parameter);
  }
  return found;
}

const isCut = (from, to) => CALLS.has(`${from.split("#")[1]} > ${to.split("#")[1]}`);

/** @returns { codesOf(path, name) -> Map code -> the functions on the way to where it is thrown } */
export function callGraph() {
  const known = new Set(errorCodes());
  known.delete("internal-error"); // every function can have a bug of ours
  const functions = new Map();
  const methods = new Map();
  const slots = new Map();
  const push = (map, key, value) => map.set(key, [...(map.get(key) ?? []), value]);
  const modules = PACKAGES.flatMap((name) => filesBelow(`packages/${name}/src`, ".ts")).map(moduleAt);
  for (const module of modules) {
    for (const one of functionsOf(module)) {
      push(functions, `${module.path}#${one.name}`, one);
      const [, method] = one.name.split(".");
      if (method !== undefined && !PLAIN.has(method)) push(methods, method, `${module.path}#${one.name}`);
    }
  }
  const functionNamed = (module, name) => {
    const found = declarationOf(module.path, name);
    if (found === undefined) return undefined;
    const key = `${found.module.path}#${found.name}`;
    return functions.has(key) ? key : undefined;
  };
  for (const module of modules) {
    for (const node of nodesBelow(module.program)) {
      const isFilled = node.type === "AssignmentExpression" && node.left.type === "MemberExpression";
      if (!isFilled || node.right.type !== "Identifier") continue;
      const key = functionNamed(module, node.right.name);
      if (key !== undefined) push(slots, node.left.property.name, key);
    }
  }

  /** A module that calls methods of a class names it, at least as a type. */
  const isKnownIn = (module, key) => {
    const [path, name] = key.split(/[#.](?=[A-Z])/);
    const found = declarationOf(module.path, name);
    return found?.module.path === path;
  };

  const read = ({ node, module, name }) => {
    const codes = new Set();
    const calls = new Set();
    const locals = localsOf(node);
    const named = (one) => (locals.has(one) || GENERAL.has(one) ? undefined : functionNamed(module, one));
    const add = (key) => key !== undefined && calls.add(key);
    const [type] = name.split(".");
    for (const inner of nodesBelow(node)) {
      if (inner.type === "AssignmentPattern")
        for (const code of literalsIn(inner.right, known)) codes.add(code);
      if (inner.type !== "CallExpression" && inner.type !== "NewExpression") continue;
      const { callee, arguments: given } = inner;
      if (GENERAL.has(callee.name)) continue;
      for (const argument of given) {
        for (const code of literalsIn(argument, known)) codes.add(code);
        if (argument.type === "Identifier") add(named(argument.name));
      }
      if (callee.type === "Identifier") {
        add(named(callee.name));
        if (inner.type === "NewExpression") add(functionNamed(module, `${callee.name}.constructor`));
      }
      let member = callee;
      while (/TSNonNull|Chain|Parenthesized/.test(member.type)) member = member.expression;
      if (member.type !== "MemberExpression" || member.computed) continue;
      const method = member.property.name;
      const own = `${module.path}#${type}.${method}`;
      if (member.object.type === "ThisExpression" && functions.has(own)) add(own);
      else {
        for (const key of methods.get(method) ?? []) if (isKnownIn(module, key)) add(key);
        for (const key of slots.get(method) ?? []) add(key);
      }
    }
    return { codes, calls };
  };
  const done = new Map();
  const edgesOf = (key) => {
    if (!done.has(key)) {
      const parts = functions.get(key).map(read);
      done.set(key, {
        codes: new Set(parts.flatMap(({ codes }) => [...codes])),
        calls: new Set(parts.flatMap(({ calls }) => [...calls])),
      });
    }
    return done.get(key);
  };

  /** Breadth first, so that the way to each code is a shortest one. */
  const codesOf = (path, name) => {
    const start = `${path}#${name}`;
    const found = new Map();
    if (!functions.has(start)) return found;
    const ways = new Map([[start, [start]]]);
    for (const [key, way] of ways) {
      const { codes, calls } = edgesOf(key);
      for (const code of codes)
        if (!found.has(code))
          found.set(
            code,
            way.map((one) => one.split("#")[1]),
          );
      for (const call of calls) if (!isCut(key, call) && !ways.has(call)) ways.set(call, [...way, call]);
    }
    return found;
  };
  /** Is there such a call, "caller > called", anywhere? */
  const isCall = (call) => {
    const [from, to] = call.split(" > ");
    const callers = [...functions.keys()].filter((key) => key.endsWith(`#${from}`));
    return callers.some((key) => [...edgesOf(key).calls].some((other) => other.endsWith(`#${to}`)));
  };
  return { codesOf, isCall };
}
