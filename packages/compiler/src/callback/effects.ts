// Whether rows may be marked after a loop (`callsNothing`, `writesAllRows`).
import { type Node, nodesIn } from "../syntax/nodes.ts";
import type { Scopes } from "../syntax/scopes.ts";
import { isOfMath, isUnconditional } from "./contexts.ts";
import { aliasOf } from "./elements.ts";
import { isNumeric } from "./numbers.ts";

/**
 * Nothing in a body calls code that could see what the loop does meanwhile. Functions of `Math` are no such calls, nor are reads of
 * properties: accessors that begin to read changes in the middle of an iteration are not provided for.
 */
export function callsNothing(body: Node, scopes: Scopes): boolean {
  for (const node of nodesIn(body)) {
    switch (node.type) {
      case "CallExpression":
        if (!isOfMath(node.callee, scopes)) return false;
        break;
      case "NewExpression":
      case "TaggedTemplateExpression":
      case "ImportExpression":
      case "AwaitExpression":
      case "YieldExpression":
      case "ForOfStatement":
      case "SpreadElement":
      case "ArrayPattern":
      case "ClassExpression":
      case "ClassDeclaration":
      case "JSXElement":
      case "JSXFragment":
        return false;
    }
  }
  return true;
}

/**
 * Some of these writes happens in each row, and no row can fail after it has begun to write, so that rows may be marked after the
 * loop. The body calls nothing.
 */
export function writesAllRows(
  callback: Node,
  writes: readonly Node[],
  code: string,
  scopes: Scopes,
): boolean {
  if (!("body" in callback)) return false;
  const body = callback.body as Node;
  const isSure = (one: Node): boolean =>
    !(one.type === "AssignmentExpression" && ["||=", "&&=", "??="].includes(one.operator)) &&
    isUnconditional(one, callback, scopes);
  const sure = writes.filter(isSure);
  if (sure.length === 0) return false;
  const isIn = (node: Node): boolean => body.start <= node.start && node.end <= body.end;
  const firstWrite = Math.min(...sure.map((one) => one.end));
  const seen = new Set<string>();
  /** A value from outside fails in the first row or never, since nothing changes it: if it does, then before the first write. */
  const isEarly = (node: Node): boolean => {
    const text = code.slice(node.start, node.end);
    if (seen.has(text)) return true;
    seen.add(text);
    return node.end < firstWrite && isUnconditional(node, callback, scopes);
  };
  for (const node of nodesIn(body)) {
    switch (node.type) {
      case "ThrowStatement":
      case "TryStatement":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
      case "FunctionDeclaration":
      case "WithStatement":
        return false;
      case "ReturnStatement":
        if (node.start < firstWrite) return false;
        break;
      case "Literal":
        if (typeof node.value === "bigint") return false;
        break;
      case "BinaryExpression":
        if (node.operator === "in" || node.operator === "instanceof") return false;
        break;
      case "AssignmentExpression":
      case "UpdateExpression": {
        const target = (node.type === "UpdateExpression" ? node.argument : node.left) as Node;
        const isLocal = target.type === "Identifier" && isLocalVariable(target, callback, scopes);
        if (!isLocal && !writes.includes(node) && !isParameterField(target, callback, scopes)) return false;
        break;
      }
      case "VariableDeclarator":
        if (node.id.type === "ObjectPattern" && node.init)
          if (scopes.variableOf.get(node.init)?.node !== callback) return false;
        break;
      case "MemberExpression": {
        const { object } = node;
        if (isParameterField(node, callback, scopes) || isOfMath(node, scopes)) break;
        if (isParameterField(object, callback, scopes)) break; // a number of an array field
        if (isElementOfAlias(node, callback, scopes)) break;
        if (node.computed || object.type !== "Identifier") return false;
        const variable = scopes.variableOf.get(object);
        if (variable === undefined || isIn(variable.node) || variable.node === callback || !isEarly(node))
          return false;
        break;
      }
      case "Identifier": {
        if (scopes.globals.has(node)) {
          if (!["undefined", "NaN", "Infinity", "Math"].includes(node.name) && !isEarly(node)) return false;
          break;
        }
        const variable = scopes.variableOf.get(node);
        if (variable === undefined || isIn(variable.node) || variable.node === callback) break;
        // Declared before, in the text: it has its value.
        if (variable.kind === "parameter" || variable.node.end <= callback.start) break;
        if (!isEarly(node)) return false;
      }
    }
  }
  return true;
}

/**
 * The names of its surroundings that the loop of a callback needs as a kernel, which sees only what it is given; `undefined` if it can
 * be none: it calls something, makes functions, or assigns to a name outside. The values of the names are read for each block, so they
 * must not change meanwhile: nothing assigns to them.
 */
export function namesForKernel(callback: Node, scopes: Scopes): string[] | undefined {
  if (!("body" in callback)) return undefined;
  const body = callback.body as Node;
  if (!callsNothing(body, scopes)) return undefined;
  const names = new Set<string>();
  for (const node of nodesIn(body)) {
    if (/Function|^ThisExpression$|^MetaProperty$|^Super$|^JSX/.test(node.type)) return undefined;
    if (node.type !== "Identifier") continue;
    if (scopes.globals.has(node)) {
      if (node.name === "arguments") return undefined;
      continue; // kernels see globals
    }
    const variable = scopes.variableOf.get(node);
    if (variable === undefined || variable.node === callback) continue;
    if (isLocalVariable(node, callback, scopes)) continue;
    const isKnown = variable.kind === "parameter" || variable.node.end <= callback.start;
    if (variable.isAssigned || !isKnown) return undefined;
    names.add(variable.name);
  }
  return [...names];
}

function isLocalVariable(node: Node, callback: Node, { variableOf }: Scopes): boolean {
  const variable = variableOf.get(node);
  return variable !== undefined && callback.start <= variable.node.start && variable.node.end <= callback.end;
}

function isParameterField(node: Node, callback: Node, { variableOf }: Scopes): boolean {
  if (node.type === "ChainExpression")
    return isParameterField(node.expression, callback, { variableOf } as Scopes);
  if (node.type !== "MemberExpression" || node.computed) return false;
  return node.object.type === "Identifier" && variableOf.get(node.object)?.node === callback;
}

/** `alias[index]`, of a local name for an `array` field, with a number. */
function isElementOfAlias(node: Node, callback: Node, scopes: Scopes): boolean {
  if (node.type !== "MemberExpression" || !node.computed || !isNumeric(node.property, scopes)) return false;
  const variable = scopes.variableOf.get(node.object);
  if (variable === undefined || !("body" in callback)) return false;
  const declared = variable.node;
  if (declared === callback)
    return aliasOf(variable, (callback.body as Node).start, callback, scopes) !== undefined;
  if (declared.type !== "VariableDeclarator" || !declared.init) return false;
  const isOfParameter =
    declared.id.type === "ObjectPattern"
      ? scopes.variableOf.get(declared.init)?.node === callback
      : isParameterField(declared.init, callback, scopes);
  return isOfParameter && aliasOf(variable, declared.end, callback, scopes) !== undefined;
}
