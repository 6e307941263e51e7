// How a value is used where it stands: tested, in arithmetic, guarded (`isTested`, `isScalar`, `isGuarded`).
import { isFunction, type Node, nodesIn } from "../syntax/nodes.ts";
import type { Scopes, Variable } from "../syntax/scopes.ts";

/*
 * How the value of an expression is used where it stands. All of it is decided by the text alone: what is not known counts as the
 * worse case.
 */

/** Only whether the value is truthy matters. */
export function isTested(node: Node, scopes: Scopes): boolean {
  const parent = scopes.parentOf.get(node);
  switch (parent?.type) {
    case "IfStatement":
    case "ConditionalExpression":
    case "WhileStatement":
    case "DoWhileStatement":
    case "ForStatement":
      if (parent.test === node) return true;
      return parent.type === "ConditionalExpression" && isTested(parent, scopes);
    case "UnaryExpression":
      return parent.operator === "!";
    case "LogicalExpression":
      if (parent.operator === "??") return false;
      return isTested(parent, scopes);
    default:
      return false;
  }
}

/** It is what a call calls, `new` makes, or a template is passed to. */
export function isCalled(node: Node, { parentOf }: Scopes): boolean {
  const parent = parentOf.get(node);
  if (parent?.type === "TaggedTemplateExpression") return parent.tag === node;
  return (parent?.type === "CallExpression" || parent?.type === "NewExpression") && parent.callee === node;
}

export function isDeleted(node: Node, { parentOf }: Scopes): boolean {
  const parent = parentOf.get(node);
  return parent?.type === "UnaryExpression" && parent.operator === "delete";
}

/** Something is assigned to it: directly, by an operator, a pattern or a loop. */
export function isWritten(node: Node, { parentOf, patternTargets }: Scopes): boolean {
  const parent = parentOf.get(node);
  switch (parent?.type) {
    case "AssignmentExpression":
    case "ForInStatement":
    case "ForOfStatement":
      return parent.left === node || patternTargets.has(node);
    case "UpdateExpression":
      return true;
    default:
      return patternTargets.has(node);
  }
}

/** `true`, `false`, or an expression that is one of them. */
export function isBoolean(node: Node): boolean {
  switch (node.type) {
    case "Literal":
      return typeof node.value === "boolean";
    case "UnaryExpression":
      return node.operator === "!";
    case "BinaryExpression":
      return ["==", "!=", "===", "!==", "<", "<=", ">", ">=", "in", "instanceof"].includes(node.operator);
    case "LogicalExpression":
      return isBoolean(node.left) && isBoolean(node.right);
    case "ConditionalExpression":
      return isBoolean(node.consequent) && isBoolean(node.alternate);
    default:
      return false;
  }
}

/** `Math.max` and the like. */
export function isOfMath(node: Node, { globals }: Scopes): boolean {
  if (node.type !== "MemberExpression" || node.computed) return false;
  const { object } = node;
  return object.type === "Identifier" && object.name === "Math" && globals.has(object);
}

/** The value goes into arithmetic, a comparison or a test: it is not kept as it is. */
export function isScalar(node: Node, scopes: Scopes): boolean {
  const parent = scopes.parentOf.get(node);
  switch (parent?.type) {
    case "BinaryExpression":
      return parent.operator !== "in" && parent.operator !== "instanceof";
    case "UnaryExpression":
    case "UpdateExpression":
    case "TemplateLiteral":
    case "ExpressionStatement":
      return true;
    case "LogicalExpression":
      return isTested(node, scopes) || isScalar(parent, scopes);
    case "ConditionalExpression":
      return parent.test === node || isScalar(parent, scopes);
    case "IfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return true;
    case "ForStatement":
      return parent.test === node || parent.update === node;
    case "SequenceExpression":
      return parent.expressions.at(-1) !== node || isScalar(parent, scopes);
    case "CallExpression":
      return parent.callee !== node && isOfMath(parent.callee, scopes);
    case "AssignmentExpression":
      if (parent.right !== node) return false;
      return parent.operator !== "=" || parent.left.type === "MemberExpression";
    case "VariableDeclarator": {
      if (parent.init !== node || parent.id.type !== "Identifier") return false;
      const variable = variableOfDeclarator(parent, scopes);
      return variable !== undefined && isScalarVariable(variable, scopes);
    }
    default:
      return false;
  }
}

/** All that is done with a variable is arithmetic. */
export function isScalarVariable(variable: Variable, scopes: Scopes): boolean {
  return variable.references.every((one) => {
    const parent = scopes.parentOf.get(one);
    // A value that is moved on to another variable is not followed.
    return parent?.type !== "VariableDeclarator" && (isTarget(one, scopes) || isScalar(one, scopes));
  });
}

function isTarget(node: Node, { parentOf }: Scopes): boolean {
  const parent = parentOf.get(node);
  return parent?.type === "AssignmentExpression" && parent.left === node && parent.operator === "=";
}

function variableOfDeclarator(declarator: Node, { module, variableOf }: Scopes): Variable | undefined {
  for (const variable of variableOf.values()) if (variable.node === declarator) return variable;
  return [...module.variables.values()].find((one) => one.node === declarator);
}

/** The test tells that a variable is not `undefined` if it comes out as `truth`. */
export function tells(test: Node, truth: boolean, variable: Variable, scopes: Scopes): boolean {
  const isIt = (node: Node): boolean => scopes.variableOf.get(node) === variable;
  switch (test.type) {
    case "Identifier":
      return truth && isIt(test);
    case "UnaryExpression":
      return test.operator === "!" && tells(test.argument, !truth, variable, scopes);
    case "BinaryExpression":
      return presenceIn(test, scopes)?.variable === variable && truth === presenceIn(test, scopes)?.isThere;
    case "LogicalExpression": {
      const one = tells(test.left, truth, variable, scopes);
      const other = tells(test.right, truth, variable, scopes);
      if (test.operator === "??") return false;
      return (test.operator === "&&") === truth ? one || other : one && other;
    }
    default:
      return false;
  }
}

/** `name === undefined`, `name != null` and the like. @returns what `true` means. */
export function presenceIn(
  node: Node,
  { variableOf, globals }: Scopes,
): { readonly variable: Variable; readonly isThere: boolean } | undefined {
  if (node.type !== "BinaryExpression" || !["==", "!=", "===", "!=="].includes(node.operator))
    return undefined;
  const isStrict = node.operator.length === 3;
  const isNothing = (one: Node): boolean =>
    (one.type === "Identifier" && one.name === "undefined" && globals.has(one)) ||
    (one.type === "UnaryExpression" && one.operator === "void" && one.argument.type === "Literal") ||
    (!isStrict && one.type === "Literal" && one.value === null && one.raw === "null");
  const [one, other] = [node.left as Node, node.right];
  const variable = variableOf.get(isNothing(other) ? one : other);
  if (variable === undefined || !(isNothing(one) || isNothing(other))) return undefined;
  return { variable, isThere: node.operator.startsWith("!") };
}

/** A variable is known not to be `undefined` where a node is. @param within the callback. */
export function isGuarded(node: Node, within: Node, variable: Variable, scopes: Scopes): boolean {
  let child = node;
  for (let parent = scopes.parentOf.get(child); parent !== undefined; parent = scopes.parentOf.get(child)) {
    switch (parent.type) {
      case "IfStatement":
      case "ConditionalExpression":
        if (child === parent.consequent && tells(parent.test, true, variable, scopes)) return true;
        if (child === parent.alternate && tells(parent.test, false, variable, scopes)) return true;
        break;
      case "LogicalExpression":
        if (child !== parent.right || parent.operator === "??") break;
        if (tells(parent.left, parent.operator === "&&", variable, scopes)) return true;
        break;
      case "WhileStatement":
        if (child === parent.body && tells(parent.test, true, variable, scopes)) return true;
        break;
      case "BlockStatement": {
        const before = parent.body.slice(0, parent.body.indexOf(child as never));
        for (const one of before)
          if (
            one.type === "IfStatement" &&
            leaves(one.consequent) &&
            tells(one.test, false, variable, scopes)
          )
            return true;
      }
    }
    if (parent === within) return false;
    child = parent;
  }
  return false;
}

/**
 * A node begins a statement, and the one before has no semicolon, so that a parenthesis in its place would be the arguments of a call:
 * only a line break is between them. Statements that end with a block are none of these.
 */
export function followsOpen(node: Node, code: string, { parentOf }: Scopes): boolean {
  let statement = node;
  for (let one = parentOf.get(node); one?.start === node.start; one = parentOf.get(one)) statement = one;
  const parent = parentOf.get(statement);
  const list: readonly Node[] =
    parent?.type === "BlockStatement" ? parent.body : parent?.type === "SwitchCase" ? parent.consequent : [];
  const previous = list[list.indexOf(statement) - 1];
  if (previous === undefined || code[previous.end - 1] === ";") return false;
  const isOpen = ({ type, end }: Node): boolean =>
    end === previous.end && /^(Expression|Return|Throw)Statement$|^VariableDeclaration$/.test(type);
  return code[previous.end - 1] !== "}" || [...nodesIn(previous)].some(isOpen);
}

/** What comes after a statement is not reached from it. */
function leaves(statement: Node): boolean {
  if (statement.type === "BlockStatement") {
    const last = statement.body.at(-1);
    return last !== undefined && leaves(last);
  }
  return ["ReturnStatement", "ThrowStatement", "ContinueStatement", "BreakStatement"].includes(
    statement.type,
  );
}

/** A node runs exactly once whenever the callback does, unless that returns or throws before. */
export function isUnconditional(node: Node, within: Node, { parentOf }: Scopes): boolean {
  let child = node;
  for (let parent = parentOf.get(child); parent !== undefined; parent = parentOf.get(child)) {
    if (parent === within) return true;
    switch (parent.type) {
      case "BlockStatement":
      case "ExpressionStatement":
      case "VariableDeclaration":
      case "VariableDeclarator":
      case "BinaryExpression":
      case "UnaryExpression":
      case "UpdateExpression":
      case "MemberExpression":
      case "CallExpression":
      case "ObjectPattern":
      case "Property":
        break;
      case "AssignmentExpression":
        if (["||=", "&&=", "??="].includes(parent.operator)) return false;
        break;
      case "LogicalExpression":
        if (child !== parent.left) return false;
        break;
      case "ConditionalExpression":
      case "IfStatement":
        if (child !== parent.test) return false;
        break;
      default:
        return false;
    }
    if (isFunction(parent)) return false;
    child = parent;
  }
  return false;
}
