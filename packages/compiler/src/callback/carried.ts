// Which variables around a callback a loop may keep in names of its own (`carriedVariables`).
import { isFunction, type Node, nodesIn } from "../syntax/nodes.ts";
import type { Scopes, Variable } from "../syntax/scopes.ts";

/**
 * The variables around a callback that its loop may keep in names of its own, and write back after it: engines write a variable
 * of a closure to memory in each row, which takes longer than the rest of many loops. Nothing else may see them meanwhile, so the
 * body calls nothing and makes no functions.
 */
export function carriedVariables(callback: Node, scopes: Scopes): Variable[] {
  if (!("body" in callback)) return [];
  const assigned = new Set<Variable>();
  const refused = new Set<Variable>();
  for (const node of nodesIn(callback.body as Node)) {
    if (isFunction(node) || node.type === "ClassBody") return [];
    const variable = scopes.variableOf.get(node);
    if (variable === undefined || !hasValueBefore(variable, callback, scopes)) continue;
    if (isReplaceable(node, callback, scopes)) {
      if (isAssigned(node, scopes)) assigned.add(variable);
    } else refused.add(variable);
  }
  return [...assigned].filter((one) => !refused.has(one));
}

/** Declared before the callback in the same function, so that it can be read before the first row. */
function hasValueBefore({ kind, node, scope }: Variable, callback: Node, { parentOf }: Scopes): boolean {
  if (kind !== "let" || node.type !== "VariableDeclarator" || node.end > callback.start) return false;
  const declaration = parentOf.get(node);
  if (declaration === undefined || parentOf.get(declaration)?.type === "SwitchCase") return false;
  let around = parentOf.get(callback);
  while (around !== undefined && around !== scope.owner && !isFunction(around)) around = parentOf.get(around);
  return around === scope.owner;
}

/** It stands alone where it is: not in a pattern, nor in an index, which may be written out more than once. */
function isReplaceable(node: Node, callback: Node, { parentOf, patternTargets }: Scopes): boolean {
  const parent = parentOf.get(node);
  if (node.type !== "Identifier" || patternTargets.has(node)) return false;
  if (parent === undefined || parent.type === "Property") return false;
  let inner: Node = node;
  for (let one: Node | undefined = parent; one !== undefined && one !== callback; one = parentOf.get(one)) {
    if (one.type === "MemberExpression" && one.computed && one.property === inner) return false;
    inner = one;
  }
  return true;
}

function isAssigned(node: Node, { parentOf }: Scopes): boolean {
  const parent = parentOf.get(node);
  return (
    parent?.type === "UpdateExpression" || (parent?.type === "AssignmentExpression" && parent.left === node)
  );
}
