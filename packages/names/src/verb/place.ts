// `place`: names and reparents an entity by a path, at once or when an iteration ends; throws `bad-path` for a path without a last name.
import { ChildOf, type Entity, isAlive, TreelineError, type World } from "@treeline/core";
import {
  ANY,
  deferCommand,
  handleOf,
  mustDefer,
  placeBelow,
  requireAlive,
  requireOptions,
  slotsOf,
} from "@treeline/core/internal";
import { indexFor, separatorOf } from "../state/world-names.ts";
import { readSteps, startOfSteps } from "../text/step.ts";
import { ownCopy } from "../text/text.ts";
import { type EnsureOptions, followFar, requireStorage } from "./ensure-path.ts";
import { type Path, requirePath, startScope } from "./lookup.ts";
import { Name, namesOf } from "./name.ts";

/**
 * Names an entity and gives it a parent, as one change: with `"Ship::Gun"` it becomes `Gun` below `Ship`. A path of one step
 * makes a root of it, or a child of `from`. With scopes along a relation (`along` of `configureNames`), an entity without a parent
 * that another one contains goes into the entity above by that relation, and a root is contained by none. What it has already stays
 * as it is. Missing ancestors are created as `ensurePath` does.
 *
 * Inside an iteration the whole call is deferred to its end; if `from` has been destroyed by then, the entity is destroyed too, see
 * `ifParentDestroyed` of `createWorld`.
 *
 * @cost `lookup`, a `spawn` for each missing ancestor, a reparent and a `rename`.
 * @param path ends with a name; ancestors may be steps `#12` and, from the roots, an alias.
 * @param options as for `ensurePath`: `from`, `separator`, and `storage`: by default that of its present parent, or the
 *   relation along which it is contained, and `ChildOf` for a root and for the ancestors that are created.
 * @throws TreelineError `dead-entity` if the entity or `from` is not alive, or the entity is `undefined`; `bad-path` as `lookup`
 *   does, for a path without a name at its end, and if no entity is at a step `#12`; `cycle` for a path through the entity itself,
 *   or through one below it; `name-taken` if another entity is at the path; `bad-value` if the options are not an object; `refused`
 *   for a builtin; `bad-term`, `capacity` and `iterating` as `ensurePath` does; and what a `check` hook throws. Nothing has changed
 *   then.
 *
 * @example
 * place(world, gun, "Ship::Turret::Gun");
 * place(world, gun, "Gun"); // a root
 */
export function place(world: World, entity: Entity, path: Path, options: EnsureOptions = {}): void {
  requireAlive(world, entity);
  CHECK: requireOptions("place", options, ["from", "separator", "prefix", "storage"]);
  const { storage = ChildOf } = options;
  const names = namesOf(world);
  requireStorage(names, storage);
  const separator = separatorOf(names, options);
  const scope = startScope(world, options);
  requirePath(path);
  const isText = typeof path === "string";
  const start = isText ? startOfSteps(path, separator, scope === 0) : 0;
  const steps = isText ? readSteps(path, separator, start) : [...path];
  const last = steps.pop();
  if (last === undefined) throw new TreelineError("bad-path", "#0 means the roots; end the path with a name");
  if (typeof last === "number") {
    throw new TreelineError(
      "bad-path",
      `the path ends with the step #${last}; end it with the name that the entity gets`,
    );
  }
  const isBelow = start === 0 && scope !== 0;
  const top = isBelow ? handleOf(world, scope) : undefined;
  const run = (): void => {
    const isLost = top !== undefined && !isAlive(world, top);
    const { index, missing } = isLost
      ? { index: 0, missing: [] }
      : followFar(world, names, steps, indexFor(top));
    placeBelow(world, entity, {
      above: index === 0 ? top : handleOf(world, index),
      missing: missing.map((name) => Name(ownCopy(name))),
      storage,
      keepsStorage: options.storage === undefined,
      term: Name(ownCopy(last)),
    });
  };
  if (!mustDefer(world)) {
    run();
    return;
  }
  deferCommand(world, 0, run);
  // A pending entity has its name at once, and its parent if that is there.
  const { index, missing } = followFar(world, names, steps, indexFor(top));
  const parent = index === 0 ? top : handleOf(world, index);
  const below = parent === undefined || missing.length > 0 ? [] : [storage(parent) as never];
  const above =
    parent === undefined && missing.length === 0 ? { definition: ChildOf, target: ANY } : undefined;
  slotsOf(world).pending!.give(world, [entity], [Name(last) as never, ...below], above);
}
