/** Picks patterns for `findAll`: existing names and paths with wildcards. */

import type { Expression, PatternText } from "../twin/find.ts";
import { stepTo } from "../twin/lookup.ts";
import { escapeNaively } from "../twin/paths.ts";
import type { Twin } from "../twin/rules.ts";
import { scopesAbove } from "../twin/world.ts";
import type { Chooser } from "./terms.ts";
import { aliveEntity, nameFor } from "./terms.ts";

const EXPRESSIONS: readonly Expression[] = [
  { source: "^a", flags: "" },
  { source: "A", flags: "gi" },
  { source: "\\d\\)$", flags: "y" },
  { source: ".", flags: "gu" },
  { source: "^.$", flags: "u" },
];

export function choosePattern(chooser: Chooser, separator: string): PatternText {
  const { dice, naive } = chooser;
  const goal = aliveEntity(chooser);
  const branch: (Twin | undefined)[] = scopesAbove(naive, goal).reverse();
  if (dice.chance(0.2)) branch.push(undefined);
  if (dice.chance(0.2)) branch.splice(dice.below(branch.length), 1);
  const isList = dice.chance(0.35);
  const steps = branch.slice(-5).map((twin) => stepFor(chooser, twin, isList ? "" : separator));
  if (dice.chance(0.4)) steps.splice(dice.below(steps.length + 1), 0, "**");
  if (dice.chance(0.1)) steps.splice(dice.below(steps.length + 1), 0, "**");
  if (dice.chance(0.02)) steps.push(dice.pick(["", "a\\", "#0"]));
  if (!isList) return (dice.chance(0.15) ? separator : "") + steps.join(separator);
  return steps.map((step) => (dice.chance(0.2) ? dice.pick(EXPRESSIONS) : step));
}

function stepFor(chooser: Chooser, twin: Twin | undefined, separator: string): string {
  const { dice, naive } = chooser;
  const luck = dice.below(10);
  if (luck === 0) return "*";
  if (luck === 1 && twin !== undefined) return `#${naive.indexOf(twin)}`;
  const name = twin === undefined ? nameFor(chooser) || "a" : undefined;
  const step = literally(
    name === undefined
      ? stepTo(naive, twin!, separator || NO_SEPARATOR)
      : escapeNaively(name, separator || NO_SEPARATOR),
  );
  return luck < 6 ? step : withHole(chooser, step);
}

/** Occurs in no name: steps of lists are not joined. */
const NO_SEPARATOR = "\u{1F573}";

function literally(step: string): string {
  return step.replaceAll(/[*?]/g, "\\$&");
}

/** Replaces one character of the step, with its backslash, by a wildcard. */
function withHole({ dice }: Chooser, step: string): string {
  const signs: string[] = step.match(/\\?[\s\S]/gu) ?? [];
  const at = dice.below(signs.length + 1);
  if (dice.chance(0.4) && at < signs.length) return signs.with(at, "?").join("");
  const hole = dice.pick(["*", "?", "**", "*?", "?*"]);
  return [...signs.slice(0, at), hole, ...signs.slice(at + dice.below(3))].join("");
}
