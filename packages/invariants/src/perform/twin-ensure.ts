/** What `ensurePath` creates in the naive twin and `place` changes there, and the parents of entities spawned inside a scope. */

import type { Command, NameCommand } from "../step/step.ts";
import { attempt, detach, dropDefinition, insertRoot, put } from "../twin/change.ts";
import { begin, follow, nextAt, type PathOptions, withoutRoots } from "../twin/lookup.ts";
import type { NaiveStep } from "../twin/paths.ts";
import { brokenRule } from "../twin/refusals.ts";
import type { NaiveTerm, Refusal, Twin } from "../twin/rules.ts";
import { badPlace } from "../twin/verbs.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { isAlive, recordOf } from "../twin/world.ts";

type Ensure = Extract<NameCommand, { verb: "ensurePath" }>;
type Place = Extract<NameCommand, { verb: "place" }>;
export type SpawnCommand = Extract<Command, { verb: "spawn" }>;

/** Entities that `ensurePath` has reserved inside the iteration, by scope and name as one text. */
export type ReservedPaths = Map<string, Twin>;

/** The entity at the path, and the spawn commands that it takes. */
type Ensured = { readonly twin: Twin; readonly spawnCommands: readonly SpawnCommand[] } | Refusal;

/** Follows the path as far as it exists, reserved entities included; the remaining steps are spawned. */
export function ensureNaively(world: NaiveWorld, ensure: Ensure, reserved: ReservedPaths): Ensured {
  const options: PathOptions = ensure;
  const begun = begin(world, ensure.path, options);
  if (typeof begun === "string") return begun;
  const { parsed, start } = begun;
  if (parsed.steps.length === 0) {
    return ensure.from === undefined ? "bad-path" : { twin: ensure.from, spawnCommands: [] };
  }
  const steps = withoutRoots(parsed.steps, start);
  if (steps.length === 0) return "bad-path";
  const known = follow(world, parsed.steps, start);
  if (known !== undefined) return { twin: known, spawnCommands: [] };

  let at = start;
  let place = 0;
  for (; place < steps.length; place++) {
    const next = nextOrReserved(world, at, steps[place]!, place === 0, reserved);
    if (next === undefined) break;
    at = next;
  }
  if (steps.slice(place).some(({ index }) => index !== undefined)) return "bad-path";
  const spawnCommands: SpawnCommand[] = [];
  for (; place < steps.length; place++) {
    const { name } = steps[place]!;
    const spawnedTwin = ensure.spawned[steps.length - 1 - place]!;
    const terms: NaiveTerm[] = [{ what: "Name", value: name }];
    if (at !== undefined) terms.push({ what: ensure.storage ?? "ChildOf", target: at });
    spawnCommands.push({ verb: "spawn", spawned: [spawnedTwin], terms });
    reserved.set(pathKey(at, name), spawnedTwin);
    at = spawnedTwin;
  }
  return { twin: at!, spawnCommands };
}

/** Gives the entity the name at the end of the path, below the entity at the rest of it, or refuses and changes nothing. */
export function placeNaively(world: NaiveWorld, place: Place): Refusal | undefined {
  if (!isAlive(world, place.entity)) return "dead-entity";
  if (!isStorage(world, place.storage)) return "bad-term";
  const begun = begin(world, place.path, place);
  if (typeof begun === "string") return begun;
  const { parsed, start } = begun;
  const steps = [...withoutRoots(parsed.steps, start)];
  const last = steps.pop();
  if (last === undefined || last.index !== undefined) return "bad-path";
  let above = start;
  let found = 0;
  for (; found < steps.length; found++) {
    const next = nextAt(world, above, steps[found]!, found === 0);
    if (next === undefined) break;
    above = next;
  }
  const missing = steps.slice(found);
  if (missing.some(({ index }) => index !== undefined)) return "bad-path";
  const storage = place.storage ?? storageOf(world, place.entity);
  if (above !== undefined && missing.length > 0) {
    // A path through the entity itself is refused, by whatever relation its missing ancestors would be there.
    const refusal = badPlace(world, place.entity, [{ what: storage, target: above }]);
    if (refusal !== undefined) return refusal;
  }
  return attempt(world, brokenRule, () => {
    let parent = above;
    for (const [at, { name }] of missing.entries()) {
      const twin = place.spawned[missing.length - 1 - at]!;
      insertRoot(world, twin);
      if (parent !== undefined) put(world, twin, { what: place.storage ?? "ChildOf", target: parent });
      put(world, twin, { what: "Name", value: name });
      parent = twin;
    }
    const isTree = storage === "ChildOf" || storage === "Parent";
    if (parent === undefined || !isTree) {
      detach(world, place.entity);
      for (const relation of world.names.along ?? []) {
        if (parent !== undefined && relation === storage) break;
        dropDefinition(world, place.entity, relation);
      }
    }
    if (parent !== undefined) put(world, place.entity, { what: storage, target: parent });
    put(world, place.entity, { what: "Name", value: last.name });
    return undefined;
  });
}

/** How it has its parent, or along which relation it is contained. */
function storageOf(world: NaiveWorld, entity: Twin): string {
  const { parent, storage, pairs } = recordOf(world, entity);
  const contained = world.names.along?.find((relation) => pairs.has(relation));
  return parent === undefined ? (contained ?? "ChildOf") : storage;
}

/** May entities on a path be created by it? */
function isStorage(world: NaiveWorld, storage: string | undefined): boolean {
  return storage === undefined || ["ChildOf", "Parent", ...(world.names.along ?? [])].includes(storage);
}

function nextOrReserved(
  world: NaiveWorld,
  scope: Twin | undefined,
  step: NaiveStep,
  isFirst: boolean,
  reserved: ReservedPaths,
): Twin | undefined {
  const next = nextAt(world, scope, step, isFirst);
  return next ?? (step.index === undefined ? reserved.get(pathKey(scope, step.name)) : undefined);
}

function pathKey(scope: Twin | undefined, name: string): string {
  return `${scope} ${name}`;
}

/** A spawn without a parent uses the scope as parent. */
export function inScope(world: NaiveWorld, command: Command): Command {
  const { scope } = world;
  if (scope === undefined) return command;
  const { verb } = command;
  if (verb !== "spawn" && verb !== "spawnMany" && verb !== "spawnRows" && verb !== "clone") return command;
  if (verb === "spawnRows" && command.parents !== undefined) return command;
  const isParented = command.terms.some(({ what }) => what === "ChildOf" || what === "Parent");
  return isParented ? command : { ...command, terms: [...command.terms, { what: "ChildOf", target: scope }] };
}
