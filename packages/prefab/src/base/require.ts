// Refuses what is no prefab with `bad-term` (`requirePrefab`), and calls inside iterations.
import { Any, type Entity, has, parentOf, type Tag, TreelineError, type World } from "@treeline/core";
import { indexOf, mustDefer, Prefab, requireAlive, tableAt, textOf } from "@treeline/core/internal";
import { BareIsA } from "./definitions.ts";

/** @throws TreelineError with the code. */
export function refuseTerm(
  world: World,
  entity: Entity,
  why: string,
  code: "bad-term" | "iterating" = "bad-term",
): never {
  throw new TreelineError(code, `${textOf(world, entity)} ${why}`);
}

/** @throws TreelineError `dead-entity`; `bad-term` for an entity that is no prefab, and for a part of one. */
export function requirePrefab(world: World, entity: Entity): void {
  requireAlive(world, entity);
  if (!has(world, entity, Prefab as Tag)) {
    let why = "is not a prefab";
    CHECK: why += has(world, entity, BareIsA(Any))
      ? ", but an instance of one; pass prefabOf(world, instance)"
      : "; make one by prefab(world, ...terms)";
    refuseTerm(world, entity, why);
  }
  requireNoPart(world, entity);
}

/** @throws TreelineError `bad-term` for a part of a prefab: an instance is one of the whole. */
export function requireNoPart(world: World, entity: Entity): void {
  const parent = parentOf(world, entity);
  if (parent === undefined || !has(world, parent, Prefab as Tag)) return;
  let why = "is a part of a prefab";
  CHECK: why += "; instantiate the whole one, or move the part out of it";
  refuseTerm(world, entity, why);
}

/** For what a pending instance does not have yet. @throws TreelineError `iterating` inside the iteration in which it was spawned. */
export function requireParts(world: World, entity: Entity): void {
  if (tableAt(world, indexOf(entity)) !== 0 || !has(world, entity, BareIsA(Any))) return;
  let why = "has no parts yet";
  CHECK: why += "; it gets them when the iteration ends, ask for them afterwards";
  refuseTerm(world, entity, why, "iterating");
}

/** For functions that read what they have just changed. @throws TreelineError `iterating`. */
export function requireIdle(world: World, verb: string): void {
  if (!mustDefer(world)) return;
  let text = `${verb} inside an iteration`;
  CHECK: text += ": it reads what it has just changed; call it afterwards";
  throw new TreelineError("iterating", text);
}
