/** Hand-written: one map from names to numbers, and a list of names by number. */
import type { Held, Holdings } from "../../memory/holdings.ts";

function named(texts: readonly string[], isNamed: boolean): Held {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  if (isNamed) {
    for (const text of texts) {
      numbers.set(text, names.length);
      names.push(text);
    }
  }
  return {
    count: () => {
      return texts.reduce((sum, text) => sum + Number(names[numbers.get(text) ?? -1] === text), 0);
    },
  };
}

export const holdings: Holdings = { named };
