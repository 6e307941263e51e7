/** Questions about names, answered by the naive twin in words. */

import type { Command, Seek } from "../step/step.ts";
import { entityOfName } from "../twin/collisions.ts";
import { findSlowly } from "../twin/find.ts";
import { labelledSlowly, labelOfSlowly, lookupSlowly, pathOfSlowly } from "../twin/lookup.ts";
import type { Twin } from "../twin/rules.ts";
import type { SlowWorld } from "../twin/world.ts";
import { isAlive, isThere } from "../twin/world.ts";

export function seekSlowly(world: SlowWorld, seek: Seek): string {
  switch (seek.verb) {
    case "seek": {
      const found = lookupSlowly(world, seek.path, seek);
      return typeof found === "string" ? found : oneText(found.twin);
    }
    case "seekAll": {
      const found = findSlowly(world, seek.pattern, seek);
      return typeof found === "string" ? found : allText(found);
    }
    case "seekChild":
      if (seek.parent !== undefined && !isThere(world, seek.parent)) return "dead-entity";
      if (seek.parent !== undefined && !isAlive(world, seek.parent)) return oneText(undefined);
      return oneText(entityOfName(world, seek.parent, seek.name));
    case "tellPath": {
      const told = pathOfSlowly(world, seek.entity, seek);
      return typeof told === "string" ? told : JSON.stringify(told.path);
    }
    case "tellLabel":
      return labelOfSlowly(world, seek.entity);
    case "seekLabel":
      return allText(labelledSlowly(world, seek.label));
  }
}

export function oneText(twin: Twin | undefined): string {
  return twin === undefined ? "nobody" : `e${twin}`;
}

export function allText(twins: readonly (Twin | undefined)[]): string {
  return `[${twins.map(oneText).join(", ")}]`;
}

export function isSeek(command: Command): command is Seek {
  return command.verb.startsWith("seek") || command.verb.startsWith("tell");
}
