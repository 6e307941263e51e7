/** Who is found at a path in the naive twin, and by which path somebody is found. */
import { entityOfAlias, entityOfName } from "./collisions.ts";
import type { NaivePath, NaiveStep, PathText } from "./paths.ts";
import { escapeNaively, parsePath } from "./paths.ts";
import type { Refusal, Twin } from "./rules.ts";
import type { NaiveWorld } from "./world.ts";
import { ancestorsOf, isAlive, isThere, nameOf, parentOf, recordOf } from "./world.ts";

export interface PathOptions {
  readonly from?: Twin | undefined;
  readonly separator?: string | undefined;
}

export interface LookupOptions extends PathOptions {
  readonly upwards?: boolean | undefined;
  readonly search?: readonly Twin[] | undefined;
}

/** Nobody, or why there is no answer. */
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

/** Where a path begins: `from`, or the scope of births, or the roots. */
export function begin(
  world: NaiveWorld,
  path: PathText,
  { from, separator }: PathOptions,
): { readonly parsed: NaivePath; readonly start: Twin | undefined } | Refusal {
  const start = from ?? world.scope;
  if (!separates(separator)) return "bad-path";
  if (start !== undefined && !isThere(world, start)) return "dead-entity";
  const parsed = parsePath(path, separator ?? world.names.separator);
  if (parsed === "bad-path") return parsed;
  return { parsed, start: parsed.isAbsolute ? undefined : start };
}

/** Where a look-up is tried, in turn. */
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

/** Goes all the steps. The first of those from the roots may be an alias, or the number of anybody. */
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

/** `#0` in front of a path from the roots stands for the roots themselves. */
export function withoutRoots(steps: readonly NaiveStep[], scope: Twin | undefined): readonly NaiveStep[] {
  return scope === undefined && steps[0]?.index === 0 ? steps.slice(1) : steps;
}

/** Can it stand between steps? */
export function separates(separator: string | undefined): boolean {
  return separator === undefined || /^[^\\#*?0-9]+$/.test(separator);
}

/** Who is meant by one step. */
export function nextAt(
  world: NaiveWorld,
  scope: Twin | undefined,
  step: NaiveStep,
  isFirst: boolean,
): Twin | undefined {
  if (scope !== undefined && !isAlive(world, scope)) return undefined; // nobody lives below those in limbo
  const isAtRoots = scope === undefined;
  if (step.index !== undefined) {
    const indexed = [...world.living.keys()].find((twin) => world.indexOf(twin) === step.index);
    return indexed !== undefined && ((isFirst && isAtRoots) || parentOf(world, indexed) === scope)
      ? indexed
      : undefined;
  }
  const alias = isFirst && isAtRoots ? entityOfAlias(world, step.name) : undefined;
  return alias ?? entityOfName(world, scope, step.name);
}

// ---- the way back ------------------------------------------------------------------------------------------------

export function pathOfNaively(
  world: NaiveWorld,
  entity: Twin,
  { from, separator = world.names.separator }: PathOptions = {},
): { readonly path: string } | Refusal {
  if (!isThere(world, entity)) return "dead-entity";
  if (!separates(separator)) return "bad-path";
  if (from !== undefined && !isThere(world, from)) return "dead-entity";
  const branch = branchOf(world, entity).reverse();
  const isRelative = from !== undefined && branch.includes(from);
  const rest = isRelative ? branch.slice(branch.indexOf(from) + 1) : branch;
  const path = rest.map((twin) => stepTo(world, twin, separator)).join(separator);
  const isElsewhere = !isRelative && (from !== undefined || world.scope !== undefined);
  return { path: isElsewhere ? separator + path : path };
}

/** Itself and all above it, nearest first. */
function branchOf(world: NaiveWorld, twin: Twin): Twin[] {
  return isAlive(world, twin) ? [twin, ...ancestorsOf(world, twin)] : [twin];
}

export function stepTo(world: NaiveWorld, twin: Twin, separator: string): string {
  const name = isAlive(world, twin) ? nameOf(world, twin) : undefined;
  return name === undefined ? `#${world.indexOf(twin)}` : escapeNaively(name, separator);
}

/** What people read; of an empty label there is nothing to be read. */
export function labelOfNaively(world: NaiveWorld, twin: Twin): string | Refusal {
  if (!isThere(world, twin)) return "dead-entity";
  if (!isAlive(world, twin)) return `#${world.indexOf(twin)}`;
  const label = recordOf(world, twin).objects.get("Label") as string | undefined;
  if (label !== undefined && label !== "") return label;
  return nameOf(world, twin) ?? `#${world.indexOf(twin)}`;
}

/** In the order of birth and of getting a parent. */
export function findLabelledNaively({ living }: NaiveWorld, label: string): Twin[] {
  const found = [...living].filter(([, { objects }]) => objects.get("Label") === label);
  return found.sort(([, one], [, other]) => one.place - other.place).map(([twin]) => twin);
}
