import { has, isAlive, type Relation } from "../../../src/index.ts";
import { a, b, c, d, world } from "../../fixture.ts";

/** The pairs between a, b, c and d: "ab ba" for a and b. */
export function symmetricPairs(Tie: Relation): string {
  const all = { a, b, c, d };
  const found: string[] = [];
  for (const [name, one] of Object.entries(all)) {
    for (const [other, target] of Object.entries(all)) {
      if (isAlive(world, one) && isAlive(world, target) && has(world, one, Tie(target)))
        found.push(name + other);
    }
  }
  return found.join(" ");
}
