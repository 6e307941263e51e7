// Which numbers an expression may be: any (`isNumeric`), or whole ones within bounds (`rangeOf`).
import type { Node } from "../syntax/nodes.ts";
import type { Scopes, Variable } from "../syntax/scopes.ts";
import { isOfMath } from "./contexts.ts";

/* Which numbers an expression may be, by the text alone. */

/** The expression is a number wherever it has a value at all. */
export function isNumeric(node: Node, scopes: Scopes, depth = 0): boolean {
  const inside = (one: Node): boolean => depth < 4 && isNumeric(one, scopes, depth + 1);
  switch (node.type) {
    case "Literal":
      return typeof node.value === "number";
    case "UnaryExpression":
      return ["+", "-", "~"].includes(node.operator) && inside(node.argument);
    case "UpdateExpression":
      return inside(node.argument as Node);
    case "BinaryExpression":
      return ["+", "-", "*", "/", "%", "**", "|", "&", "^", "<<", ">>", ">>>"].includes(node.operator)
        ? inside(node.left as Node) && inside(node.right)
        : false;
    case "ConditionalExpression":
      return inside(node.consequent) && inside(node.alternate);
    case "CallExpression":
      return isOfMath(node.callee, scopes);
    case "Identifier": {
      const variable = scopes.variableOf.get(node);
      return variable !== undefined && isNumericVariable(variable, scopes, depth);
    }
    default:
      return false;
  }
}

/** A local number: declared with one, and only ever counted on, or assigned numbers. */
function isNumericVariable({ node, kind, references }: Variable, scopes: Scopes, depth: number): boolean {
  if (kind !== "const" && kind !== "let") return false;
  if (node.type !== "VariableDeclarator" || node.id.type !== "Identifier" || !node.init || depth > 3)
    return false;
  if (!isNumeric(node.init, scopes, depth + 1)) return false;
  return references.every((one) => {
    const parent = scopes.parentOf.get(one);
    if (scopes.patternTargets.has(one)) return false;
    if (parent?.type !== "AssignmentExpression" || parent.left !== one) return true;
    return parent.right !== one && isNumeric(parent.right, scopes, depth + 1);
  });
}

/** Whole numbers from `low` to `high`. */
interface Range {
  readonly low: number;
  readonly high: number;
}

/** Sums and products of ranges are exact, and no bits are cut off. */
const LARGEST = 2 ** 24;
const DEPTH = 8;

/** The whole numbers that an expression may be where it stands; `undefined` if that is not known. */
export function rangeOf(node: Node, scopes: Scopes, depth = 0): Range | undefined {
  const range = depth > DEPTH ? undefined : rangeAt(node, scopes, depth + 1);
  return range !== undefined && range.low >= -LARGEST && range.high <= LARGEST ? range : undefined;
}

function rangeAt(node: Node, scopes: Scopes, depth: number): Range | undefined {
  switch (node.type) {
    case "Literal":
      if (typeof node.value !== "number" || !Number.isInteger(node.value)) return undefined;
      return { low: node.value, high: node.value };
    case "BinaryExpression": {
      const one = rangeOf(node.left as Node, scopes, depth);
      const other = rangeOf(node.right, scopes, depth);
      return one && other && combined(node.operator, one, other);
    }
    case "ConditionalExpression": {
      const one = rangeOf(node.consequent, scopes, depth);
      const other = rangeOf(node.alternate, scopes, depth);
      return one && other && { low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) };
    }
    case "TSNonNullExpression":
      return rangeOf(node.expression, scopes, depth);
    case "Identifier": {
      const variable = scopes.variableOf.get(node);
      return variable && rangeOfVariable(variable, node, scopes, depth);
    }
    default:
      return undefined;
  }
}

function combined(operator: string, one: Range, other: Range): Range | undefined {
  switch (operator) {
    case "+":
      return { low: one.low + other.low, high: one.high + other.high };
    case "-":
      return { low: one.low - other.high, high: one.high - other.low };
    case "*": {
      const ends = [one.low, one.high].flatMap((end) => [end * other.low, end * other.high]);
      return { low: Math.min(...ends), high: Math.max(...ends) };
    }
    case "%":
      return one.low >= 0 && other.low > 0 ? { low: 0, high: Math.min(one.high, other.high - 1) } : undefined;
    default:
      return undefined;
  }
}

/** A constant, or what a loop counts within it. */
function rangeOfVariable(variable: Variable, place: Node, scopes: Scopes, depth: number): Range | undefined {
  const { node, kind } = variable;
  if (kind !== "const" && kind !== "let") return undefined;
  if (node.type !== "VariableDeclarator" || node.id.type !== "Identifier" || !node.init) return undefined;
  const first = rangeOf(node.init, scopes, depth);
  if (first === undefined || !variable.isAssigned) return first;
  const declaration = scopes.parentOf.get(node)!;
  const loop = scopes.parentOf.get(declaration);
  if (loop?.type !== "ForStatement" || loop.init !== declaration) return undefined;
  const { test, update, body } = loop;
  if (place.start < body.start || place.end > body.end) return undefined;
  const isIt = (one: Node): boolean => scopes.variableOf.get(one) === variable;
  const step = update ? stepOf(update, isIt) : 0;
  if (step === 0 || test?.type !== "BinaryExpression" || !isIt(test.left as Node)) return undefined;
  const isWritten = (one: Node): boolean => {
    const parent = scopes.parentOf.get(one);
    if (parent === update) return false;
    if (scopes.patternTargets.has(one) || parent?.type === "UpdateExpression") return true;
    return parent?.type === "AssignmentExpression" && parent.left === one;
  };
  if (variable.references.some(isWritten)) return undefined;
  const limit = rangeOf(test.right, scopes, depth);
  return limit && rangeOfCounter(first, step, test.operator, limit);
}

/** What is added after each round; 0 if that is not known. */
function stepOf(update: Node, isIt: (node: Node) => boolean): number {
  if (update.type === "UpdateExpression" && isIt(update.argument as Node))
    return update.operator === "++" ? 1 : -1;
  if (update.type !== "AssignmentExpression" || !isIt(update.left as Node)) return 0;
  const { operator, right } = update;
  if (right.type !== "Literal" || typeof right.value !== "number" || !Number.isInteger(right.value)) return 0;
  return operator === "+=" ? right.value : operator === "-=" ? -right.value : 0;
}

/** @param operator between the counter and its limit, which holds in the body. */
function rangeOfCounter(first: Range, step: number, operator: string, limit: Range): Range | undefined {
  if (step > 0 && (operator === "<" || operator === "<=")) {
    const last = limit.high - (operator === "<" ? 1 : 0);
    if (first.low < first.high) return { low: first.low, high: last };
    return { low: first.low, high: last - (Math.max(0, last - first.low) % step) };
  }
  if (step < 0 && (operator === ">" || operator === ">="))
    return { low: limit.low + (operator === ">" ? 1 : 0), high: first.high };
  return undefined;
}
