/** What is created at paths, and who is born inside a scope, in the naive twin. */

import type { Command, NameCommand } from "../step/step.ts";
import { begin, follow, nextAt, type PathOptions, withoutRoots } from "../twin/lookup.ts";
import type { SlowStep } from "../twin/paths.ts";
import type { Refusal, SlowTerm, Twin } from "../twin/rules.ts";
import type { SlowWorld } from "../twin/world.ts";

type Ensure = Extract<NameCommand, { verb: "ensurePath" }>;
export type Birth = Extract<Command, { verb: "spawn" }>;

/** Who was promised to those who asked for a path inside the visit: scope and name, as one text. */
export type Promises = Map<string, Twin>;

/** Who is at the path, and the births that it takes. */
type Ensured = { readonly twin: Twin; readonly births: readonly Birth[] } | Refusal;

/** Goes as far as the path leads, promised ones included; below there the rest is to be born. */
export function ensureSlowly(world: SlowWorld, ensure: Ensure, promised: Promises): Ensured {
  const options: PathOptions = { from: ensure.from, separator: ensure.separator };
  const begun = begin(world, ensure.path, options);
  if (typeof begun === "string") return begun;
  const { parsed, start } = begun;
  if (parsed.steps.length === 0) {
    return ensure.from === undefined ? "bad-path" : { twin: ensure.from, births: [] };
  }
  const steps = withoutRoots(parsed.steps, start);
  if (steps.length === 0) return "bad-path";
  const known = follow(world, parsed.steps, start);
  if (known !== undefined) return { twin: known, births: [] };

  let at = start;
  let place = 0;
  for (; place < steps.length; place++) {
    const next = nextOrPromised(world, at, steps[place]!, place === 0, promised);
    if (next === undefined) break;
    at = next;
  }
  if (steps.slice(place).some(({ index }) => index !== undefined)) return "bad-path";
  const births: Birth[] = [];
  for (; place < steps.length; place++) {
    const { name } = steps[place]!;
    const newborn = ensure.born[steps.length - 1 - place]!;
    const terms: SlowTerm[] = [{ what: "Name", value: name }];
    if (at !== undefined) terms.push({ what: ensure.storage ?? "ChildOf", target: at });
    births.push({ verb: "spawn", born: [newborn], terms });
    promised.set(promiseKey(at, name), newborn);
    at = newborn;
  }
  return { twin: at!, births };
}

function nextOrPromised(
  world: SlowWorld,
  scope: Twin | undefined,
  step: SlowStep,
  isFirst: boolean,
  promised: Promises,
): Twin | undefined {
  const next = nextAt(world, scope, step, isFirst);
  return next ?? (step.index === undefined ? promised.get(promiseKey(scope, step.name)) : undefined);
}

function promiseKey(scope: Twin | undefined, name: string): string {
  return `${scope} ${name}`;
}

/** A birth without a parent of its own gets the one of the scope. */
export function inScope(world: SlowWorld, command: Command): Command {
  const { scope } = world;
  if (scope === undefined) return command;
  if (command.verb !== "spawn" && command.verb !== "spawnMany" && command.verb !== "clone") return command;
  const isParented = command.terms.some(({ what }) => what === "ChildOf" || what === "Parent");
  return isParented ? command : { ...command, terms: [...command.terms, { what: "ChildOf", target: scope }] };
}
