// What is in a node (`childrenOf`), without types, and without assertions (`unwrap`).
import { type Node, visitorKeys } from "oxc-parser";

export type { Node };

/** What has the value of the expression in it. */
const WRAPPERS = new Set([
  "ParenthesizedExpression",
  "TSAsExpression",
  "TSInstantiationExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
]);

/** What TypeScript has at run time, in addition to these: all other nodes whose types begin with TS are types. */
const VALUES_OF_TYPESCRIPT = new Set([
  "TSEnumBody",
  "TSEnumDeclaration",
  "TSEnumMember",
  "TSExportAssignment",
  "TSImportEqualsDeclaration",
  "TSModuleBlock",
  "TSModuleDeclaration",
  "TSParameterProperty",
]);

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

/**
 * Replaces parentheses and assertions of TypeScript in a tree by what is in them, so that nothing has to look through them. All nodes keep
 * their places in the text.
 *
 * @returns the outermost of them around a node.
 */
export function unwrap(node: Node, wrapperOf: Map<Node, Node> = new Map()): ReadonlyMap<Node, Node> {
  const unwrapped = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unwrapped);
    if (!isNode(value)) return value;
    let one: Node = value;
    while (WRAPPERS.has(one.type)) one = (one as Node & { readonly expression: Node }).expression;
    if (one !== value) wrapperOf.set(one, value);
    unwrap(one, wrapperOf);
    return one;
  };
  const parts = node as unknown as Record<string, unknown>;
  for (const key of visitorKeys[node.type] ?? []) parts[key] = unwrapped(parts[key]);
  return wrapperOf;
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
