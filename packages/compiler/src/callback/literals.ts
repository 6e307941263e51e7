// Which function literals can become loops (`requireLiteral`, `refuseByBody`).
import { type Node, nodesIn, runsLater } from "../syntax/nodes.ts";
import type { Scopes } from "../syntax/scopes.ts";
import { LeftAlone } from "./uses.ts";

/** A function that is written where it is passed. */
export type Literal = Node & { readonly params: readonly Node[]; readonly body: Node };

/** @throws LeftAlone if it is none whose body a loop can have. */
export function requireLiteral(callback: Node): Literal {
  const { start } = callback;
  if (callback.type !== "ArrowFunctionExpression" && callback.type !== "FunctionExpression")
    throw new LeftAlone("the callback is not a function literal", start);
  if (callback.async || callback.generator)
    throw new LeftAlone("the callback is async, or a generator", start);
  return callback as unknown as Literal;
}

/** Refuses what a body in a loop would do otherwise. */
export function refuseByBody(callback: Literal, scopes: Scopes): void {
  const { body } = callback;
  const isArrow = callback.type === "ArrowFunctionExpression";
  if (!isArrow && "id" in callback && callback.id) {
    const name = (callback.id as { readonly name: string }).name;
    for (const node of nodesIn(body))
      if (node.type === "Identifier" && node.name === name && scopes.variableOf.get(node)?.node === callback)
        throw new LeftAlone("the callback names itself", node.start);
  }
  if (body.type === "BlockStatement")
    for (const one of body.body)
      if (one.type === "ExpressionStatement" && "directive" in one && one.directive)
        throw new LeftAlone("the callback has a directive", one.start);
  for (const node of nodesIn(body, (one) => !runsLater(one) || one.type === "ArrowFunctionExpression")) {
    const isArguments = node.type === "Identifier" && node.name === "arguments" && scopes.globals.has(node);
    const isOwn = isArguments || node.type === "ThisExpression" || node.type === "MetaProperty";
    if (!isArrow && isOwn)
      throw new LeftAlone(
        "a function that is not an arrow function uses this, arguments or new.target",
        node.start,
      );
  }
  for (const node of nodesIn(body)) {
    if (node.type === "Identifier" && node.name === "eval" && scopes.globals.has(node))
      throw new LeftAlone("the callback calls eval", node.start);
    if (/^TS(Enum|Module)Declaration$/.test(node.type) || ("declare" in node && node.declare))
      throw new LeftAlone("the callback has an enum, a namespace or a declare in it", node.start);
  }
  for (const node of nodesIn(body, (one) => !runsLater(one))) {
    if (node.type !== "VariableDeclaration") continue;
    if (node.kind === "var")
      throw new LeftAlone("a var would keep its value from row to row; use let", node.start);
    if (node.kind === "using" || node.kind === "await using")
      throw new LeftAlone("the callback declares with using", node.start);
  }
}
