/** The entity at a path in the naive twin, and the path of an entity. */
import { entityOfAlias, entityOfName } from "./collisions.ts";
import type { NaivePath, NaiveStep, PathText } from "./paths.ts";
import { escapeNaively, parsePath } from "./paths.ts";
import type { Refusal, Twin } from "./rules.ts";
import type { NaiveWorld } from "./world.ts";
import { isAlive, isThere, nameOf, recordOf, scopeOf, scopesAbove } from "./world.ts";

export interface PathOptions {
  readonly from?: Twin | undefined;
  readonly separator?: string | undefined;
  readonly prefix?: string | undefined;
}

export interface LookupOptions extends PathOptions {
  readonly upwards?: boolean | undefined;
  readonly search?: readonly Twin[] | undefined;
}

/** No entity, or the reason for a refusal. */
export type Found = { readonly twin: Twin | undefined } | Refusal;

export function lookupNaively(world: NaiveWorld, path: PathText, options: LookupOptions = {}): Found {
  const begun = begin(world, path, options);
  if (typeof begun === "string") return begun;
  const { parsed, start } = begun;
  if (parsed.steps.length === 0) {
    return options.from === undefined ? "bad-path" : { twin: options.from };
  }
  for (const scope of scopesFor(world, parsed, start, options)) {
    const twin = follow(world, parsed.steps, scope);
    if (twin !== undefined) return { twin };
  }
  return { twin: undefined };
}

/** Where a path begins: `from`, or the scope of spawns, or the roots. */
export function begin(
  world: NaiveWorld,
  path: PathText,
  { from, separator, prefix }: PathOptions,
): { readonly parsed: NaivePath; readonly start: Twin | undefined } | Refusal {
  const start = from ?? world.scope;
  if (!separates(separator) || !separates(prefix)) return "bad-path";
  if (start !== undefined && !isThere(world, start)) return "dead-entity";
  const parsed = parsePath(path, separator ?? world.names.separator, prefix);
  if (parsed === "bad-path") return parsed;
  return { parsed, start: parsed.isAbsolute ? undefined : start };
}

/** The scopes of a lookup, in order. */
function scopesFor(
  world: NaiveWorld,
  { isAbsolute }: NaivePath,
  start: Twin | undefined,
  { upwards, search }: LookupOptions,
): (Twin | undefined)[] {
  if (isAbsolute) return [undefined];
  const scopes = [start];
  if (upwards === true && start !== undefined) scopes.push(...branchOf(world, start).slice(1), undefined);
  const further = search ?? (upwards === true ? world.names.search : []);
  return [...scopes, ...further.filter((scope) => isThere(world, scope)).reverse()];
}

/** Follows all steps. The first one from the roots may be an alias, or the number of any entity. */
export function follow(
  world: NaiveWorld,
  steps: readonly NaiveStep[],
  scope: Twin | undefined,
): Twin | undefined {
  const left = withoutRoots(steps, scope);
  let at: Twin | undefined;
  for (const [place, step] of left.entries()) {
    at = nextAt(world, place === 0 ? scope : at, step, place === 0);
    if (at === undefined) return undefined;
  }
  return at;
}

/** `#0` at the beginning of a path from the roots means the roots themselves. */
export function withoutRoots(steps: readonly NaiveStep[], scope: Twin | undefined): readonly NaiveStep[] {
  return scope === undefined && steps[0]?.index === 0 ? steps.slice(1) : steps;
}

/** Is it a valid separator? */
export function separates(separator: string | undefined): boolean {
  return separator === undefined || /^[^\\#*?0-9]+$/.test(separator);
}

/** The entity of one step. */
export function nextAt(
  world: NaiveWorld,
  scope: Twin | undefined,
  step: NaiveStep,
  isFirst: boolean,
): Twin | undefined {
  if (scope !== undefined && !isAlive(world, scope)) return undefined; // pending spawns have no entities below them
  const isAtRoots = scope === undefined;
  if (step.index !== undefined) {
    const indexed = [...world.living.keys()].find((twin) => world.indexOf(twin) === step.index);
    return indexed !== undefined && ((isFirst && isAtRoots) || scopeOf(world, indexed) === scope)
      ? indexed
      : undefined;
  }
  const alias = isFirst && isAtRoots ? entityOfAlias(world, step.name) : undefined;
  return alias ?? entityOfName(world, scope, step.name);
}

// ---- paths of entities -------------------------------------------------------------------------------------------

export function pathOfNaively(
  world: NaiveWorld,
  entity: Twin,
  { from, separator = world.names.separator, prefix }: PathOptions = {},
): { readonly path: string } | Refusal {
  if (!isThere(world, entity)) return "dead-entity";
  if (!separates(separator) || !separates(prefix)) return "bad-path";
  if (from !== undefined && !isThere(world, from)) return "dead-entity";
  const branch = branchOf(world, entity).reverse();
  const isRelative = from !== undefined && branch.includes(from);
  const rest = isRelative ? branch.slice(branch.indexOf(from) + 1) : branch;
  // Where the scopes repeat, only the index leads to the topmost entity.
  const top = branch[0]!;
  const isCut = !isRelative && isAlive(world, top) && scopeOf(world, top) !== undefined;
  const steps = rest.map((twin) => stepTo(world, twin, separator));
  if (isCut) steps[0] = `#${world.indexOf(top)}`;
  const path = steps.join(separator);
  if (prefix !== undefined) {
    if (!isRelative) return { path: prefix + path };
    return { path: path.startsWith(prefix) ? `\\${path}` : path };
  }
  const isElsewhere = !isRelative && (from !== undefined || world.scope !== undefined);
  return { path: isElsewhere ? separator + path : path };
}

/** The path of a living entity from the roots. */
export function pathTextOf(world: NaiveWorld, entity: Twin): string {
  const result = pathOfNaively({ ...world, scope: undefined }, entity);
  if (typeof result === "string") throw new Error(`the path of e${entity} is refused: ${result}`);
  return result.path;
}

/** The entity and all scopes above it, nearest first. */
function branchOf(world: NaiveWorld, twin: Twin): Twin[] {
  return isAlive(world, twin) ? scopesAbove(world, twin) : [twin];
}

export function stepTo(world: NaiveWorld, twin: Twin, separator: string): string {
  const name = isAlive(world, twin) ? nameOf(world, twin) : undefined;
  return name === undefined ? `#${world.indexOf(twin)}` : escapeNaively(name, separator);
}

/** The text that people read; an empty label counts as no label. */
export function labelOfNaively(world: NaiveWorld, twin: Twin): string | Refusal {
  if (!isThere(world, twin)) return "dead-entity";
  if (!isAlive(world, twin)) return `#${world.indexOf(twin)}`;
  const label = recordOf(world, twin).objects.get("Label") as string | undefined;
  if (label !== undefined && label !== "") return label;
  return nameOf(world, twin) ?? `#${world.indexOf(twin)}`;
}

/** In the order in which they were spawned or got their parents. */
export function findLabelledNaively({ living }: NaiveWorld, label: string): Twin[] {
  const found = [...living].filter(([, { objects }]) => objects.get("Label") === label);
  return found.sort(([, one], [, other]) => one.place - other.place).map(([twin]) => twin);
}
