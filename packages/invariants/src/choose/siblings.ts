/** Picks steps that order, replace and detach siblings; some of them are wrong on purpose. */

import type { Command } from "../step/step.ts";
import type { Twin } from "../twin/rules.ts";
import { childrenOf } from "../twin/world.ts";
import type { Chooser } from "./terms.ts";
import { shuffled, someone, someParent, storageFor } from "./terms.ts";

export function chooseSiblings(chooser: Chooser): Command {
  const { dice } = chooser;
  const parent = someParent(chooser);
  const family = familyOf(chooser, parent);
  switch (dice.below(7)) {
    case 0:
    case 1: {
      const place = dice.chance(0.04)
        ? dice.pick([-1, family.length + 3, 0.5])
        : dice.below(family.length + 1);
      return { verb: "insertAt", parent, child: childOrSomeone(chooser, family), place };
    }
    case 2:
    case 3: {
      const sibling = childOrSomeone(chooser, family);
      const side = dice.pick(["before", "after"] as const);
      return { verb: "moveBeside", side, child: childOrSomeone(chooser, family), sibling };
    }
    case 4: {
      const order = shuffled(dice, family);
      if (dice.chance(0.05)) order.push(someone(chooser));
      if (dice.chance(0.05)) order.pop();
      return { verb: "setChildOrder", parent, order };
    }
    case 5:
      return { verb: "sortChildren", parent, salt: 1 + dice.below(6), byClock: dice.chance(0.3) };
    default:
      return chooseReplacement(chooser, parent, family);
  }
}

function chooseReplacement(chooser: Chooser, parent: Twin, family: readonly Twin[]): Command {
  const { dice } = chooser;
  if (dice.chance(0.3)) return { verb: "detachChildren", parent };
  const list = shuffled(
    dice,
    family.filter(() => dice.chance(0.8)),
  );
  const wanted = dice.below(3);
  for (let at = 0; at < wanted; at++) {
    const other = someone(chooser);
    if (!list.includes(other) || dice.chance(0.02)) list.push(other);
  }
  return { verb: "replaceChildren", parent, list };
}

function familyOf({ slow }: Chooser, parent: Twin): Twin[] {
  return slow.living.has(parent) ? childrenOf(slow, parent) : [];
}

function childOrSomeone(chooser: Chooser, family: readonly Twin[]): Twin {
  return family.length > 0 && chooser.dice.chance(0.7) ? chooser.dice.pick(family) : someone(chooser);
}

/** The verbs of `hierarchy.ts`. */
export function chooseDoor(chooser: Chooser): Command {
  const { dice } = chooser;
  const entity = someone(chooser);
  const luck = dice.below(8);
  if (luck < 2) return { verb: "attach", entity, parent: someone(chooser) };
  if (luck < 4) return { verb: "attach", entity, parent: someone(chooser), storage: storageFor(chooser) };
  if (luck < 6) return { verb: "detach", entity };
  return { verb: luck === 6 ? "detachFamily" : "detachAll", entity };
}
