import { ChildOf, type Entity, observe } from "../../src/index.ts";
import { a, b, world } from "../fixture.ts";

/** All events of parents: "-a" and "+b" for a move from a to b. */
export function recordParentEvents(): string[] {
  const calls: string[] = [];
  const nameOf = (one: Entity | undefined): string => (one === a ? "a" : one === b ? "b" : "?");
  observe(world, { added: ChildOf, removed: ChildOf }, ({ kind, target }) =>
    calls.push((kind === "added" ? "+" : "-") + nameOf(target)),
  );
  return calls;
}
