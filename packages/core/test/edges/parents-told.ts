import { ChildOf, type Entity, observe } from "../../src/index.ts";
import { a, b, world } from "../stage.ts";

/** Everything told of parents: "-a" and "+b" for a move from a to b. */
export function listenToParents(): string[] {
  const told: string[] = [];
  const nameOf = (one: Entity | undefined): string => (one === a ? "a" : one === b ? "b" : "?");
  observe(world, { added: ChildOf, removed: ChildOf }, ({ kind, target }) =>
    told.push((kind === "added" ? "+" : "-") + nameOf(target)),
  );
  return told;
}
