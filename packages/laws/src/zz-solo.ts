import { chooseStep } from "./choose.ts";
import { type Chooser, createPalette } from "./choose-terms.ts";
import { createDice } from "./dice.ts";
import { performSlowly } from "./slow-steps.ts";
import { createSlowWorld } from "./slow-world.ts";
import { stepText } from "./step.ts";
import { rules } from "./vocabulary.ts";

const counts = new Map<string, number>();
let living = 0,
  n = 0;
const t = performance.now();
for (let seed = 1; seed <= 60; seed++) {
  const dice = createDice(seed);
  const slow = createSlowWorld(rules);
  const chooser: Chooser = {
    dice,
    palette: createPalette(dice),
    slow,
    kind: "mixed",
    isWorn: false,
    isStrict: false,
    cap: 16,
    named: 1,
    expected: [],
  };
  for (let i = 0; i < 400; i++) {
    const step = chooseStep(chooser);
    slow.before.clear();
    try {
      const code = performSlowly(slow, step);
      const key =
        step.verb +
        " " +
        (step.verb === "burst"
          ? ""
          : step.verb === "visit"
            ? code!.split(" ").at(-1)
            : (code ?? "done").replace(/\d+ /, ""));
      counts.set(key, (counts.get(key) ?? 0) + 1);
    } catch (e) {
      console.log(seed, i, stepText(step));
      throw e;
    }
    living += slow.living.size;
    n++;
  }
}
console.log(
  [...counts]
    .sort()
    .map(([k, v]) => `${k}: ${v}`)
    .join("\n"),
  living / n,
  performance.now() - t,
);
