// Which archetype and columns a list of terms leads to (`newPlan`); remembers `MOST_PLANS` of them.
import { archetypeWith } from "../../graph/graph.ts";
import type { Definition, PlainTerm, SpawnTerm, Term } from "../../id/definition.ts";
import { NO_DEFAULT } from "../../id/field.ts";
import { type Archetype, columnOf, NEEDS_PAIR_VALUES } from "../../storage/archetype.ts";
import type { SpawnPlan } from "../state/plans.ts";
import { definitionOfTerm } from "../state/terms.ts";
import type { World } from "../state/world.ts";
import { requireValue } from "./collect.ts";
import { isParental, requireDifferent } from "./terms.ts";

/** Maximum number of cached plans. Programs that spawn more kinds in turn compute a new plan for each. */
const MOST_PLANS = 64;

/** The plan for these terms; `undefined` if there is none yet. Moves the plan to the front of the list. */
export function knownPlan({ plans }: World, terms: readonly SpawnTerm[]): SpawnPlan | undefined {
  for (let at = 0; at < plans.length; at++) {
    const plan = plans[at]!;
    if (!isFor(plan, terms)) continue;
    plans[at] = plans[0]!;
    plans[0] = plan;
    return plan;
  }
  return undefined;
}

function isFor({ definitions }: SpawnPlan, terms: readonly SpawnTerm[]): boolean {
  if (definitions.length !== terms.length) return false;
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] as Term | undefined | null;
    if ((typeof term === "function" ? term : term?.definition) !== definitions[at]) return false;
  }
  return true;
}

/**
 * A plan for terms that have been checked one by one, and what they require.
 * @throws TreelineError as `requireDifferent`; `bad-value`, `bad-definition` for what is required.
 */
export function newPlan(world: World, terms: readonly PlainTerm[]): SpawnPlan {
  requireDifferent(terms);
  const definitions = terms.map(definitionOfTerm);
  const all = [...definitions];
  let archetype = world.graph.root;
  let given = all.length;
  for (const definition of all) {
    // What becomes an instance gets what its prefab has first.
    if (!world.slots.templates?.completes(definitions)) definition.requires?.(all);
    if (given-- < 1 && definition.fields[0]?.[1] === NO_DEFAULT) requireValue(world, definition, 0);
    if (definition.storage !== "table") definition.installs?.(world.slots);
    archetype = archetypeWith(world.graph, archetype, definition);
  }
  const plan: SpawnPlan = {
    definitions,
    all,
    archetype,
    tags: all.filter(({ storage }) => storage !== "table"),
    parentAt: definitions.findIndex(isParental),
    hasPairs: archetype.hasPairs,
    flatLanes: flatLanesOf(archetype, definitions),
  };
  if (world.plans.length === MOST_PLANS) world.plans.pop();
  world.plans.unshift(plan);
  return plan;
}

function flatLanesOf(archetype: Archetype, definitions: readonly Definition[]): Int32Array {
  const fields = definitions.flatMap((definition) => columnOf(archetype, definition)?.fields ?? []);
  const all = archetype.lanes.plan.columns.flatMap((column) => column.fields);
  const isFlat =
    archetype.lanes.plan.plain &&
    (archetype.fixedNeeds & NEEDS_PAIR_VALUES) === 0 &&
    fields.length === all.length &&
    fields.every(({ kind }) => kind === "f32");
  return Int32Array.from(isFlat ? fields.map(({ lane }) => lane) : []);
}
