/** Name queries of the naive twin; the results are text. */

import type { Command, NameQuery } from "../step/step.ts";
import { entityOfName } from "../twin/collisions.ts";
import { findNaively } from "../twin/find.ts";
import { findLabelledNaively, labelOfNaively, lookupNaively, pathOfNaively } from "../twin/lookup.ts";
import type { Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { isAlive, isThere } from "../twin/world.ts";

export function queryNamesNaively(world: NaiveWorld, queryNames: NameQuery): string {
  switch (queryNames.verb) {
    case "lookup": {
      const found = lookupNaively(world, queryNames.path, queryNames);
      return typeof found === "string" ? found : oneText(found.twin);
    }
    case "findAll": {
      const found = findNaively(world, queryNames.pattern, queryNames);
      return typeof found === "string" ? found : allText(found);
    }
    case "childNamed":
      if (!isThere(world, queryNames.parent)) return "dead-entity";
      if (!isAlive(world, queryNames.parent)) return oneText(undefined);
      return oneText(entityOfName(world, queryNames.parent, queryNames.name));
    case "pathOf": {
      const result = pathOfNaively(world, queryNames.entity, queryNames);
      if (typeof result === "string") return result;
      return world.pending.has(queryNames.entity) ? PENDING : JSON.stringify(result.path);
    }
    case "labelOf":
      return world.pending.has(queryNames.entity) ? PENDING : labelOfNaively(world, queryNames.entity);
    case "findLabelled":
      return allText(findLabelledNaively(world, queryNames.label));
  }
}

/** In place of what is read of the name of a pending entity. */
export const PENDING = "pending";

export function oneText(twin: Twin | undefined): string {
  return twin === undefined ? "none" : `e${twin}`;
}

export function allText(twins: readonly (Twin | undefined)[]): string {
  return `[${twins.map(oneText).join(", ")}]`;
}

const NAME_QUERIES: readonly string[] = [
  "lookup",
  "findAll",
  "childNamed",
  "pathOf",
  "labelOf",
  "findLabelled",
];

export function isNameQuery(command: Command): command is NameQuery {
  return NAME_QUERIES.includes(command.verb);
}
