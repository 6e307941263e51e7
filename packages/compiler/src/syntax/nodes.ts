import { type Node, visitorKeys } from "oxc-parser";

export type { Node };

/** An expression in TypeScript that has a value: all other nodes whose types begin with TS are types. */
const VALUES_OF_TYPESCRIPT = new Set([
  "TSAsExpression",
  "TSEnumBody",
  "TSEnumDeclaration",
  "TSEnumMember",
  "TSExportAssignment",
  "TSInstantiationExpression",
  "TSModuleBlock",
  "TSModuleDeclaration",
  "TSNonNullExpression",
  "TSParameterProperty",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
]);

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

/** The nodes directly in a node, in order, without types. */
export function childrenOf(node: Node): Node[] {
  const found: Node[] = [];
  for (const key of visitorKeys[node.type] ?? []) {
    const value = (node as unknown as Readonly<Record<string, unknown>>)[key];
    for (const one of Array.isArray(value) ? value : [value])
      if (isNode(one) && (!one.type.startsWith("TS") || VALUES_OF_TYPESCRIPT.has(one.type))) found.push(one);
  }
  return found;
}

/** A node and all nodes in it, outer ones first. @param enters false to leave out what is in a node. */
export function* nodesIn(node: Node, enters: (one: Node) => boolean = () => true): Generator<Node> {
  yield node;
  if (!enters(node)) return;
  for (const child of childrenOf(node)) yield* nodesIn(child, enters);
}

export function isFunction(node: Node): boolean {
  return (
    node.type === "ArrowFunctionExpression" ||
    node.type === "FunctionExpression" ||
    node.type === "FunctionDeclaration"
  );
}

/** A function, or a class, whose code may run later. */
export function runsLater(node: Node): boolean {
  return isFunction(node) || node.type === "ClassDeclaration" || node.type === "ClassExpression";
}
