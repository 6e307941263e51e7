/** Picks steps that order, replace and detach siblings; some of them are wrong on purpose. */

import type { Command } from "../step/step.ts";
import type { Twin } from "../twin/rules.ts";
import { childrenOf } from "../twin/world.ts";
import type { Chooser } from "./terms.ts";
import { anyEntity, anyParent, shuffled, storageFor } from "./terms.ts";

export function chooseSiblings(chooser: Chooser): Command {
  const { dice } = chooser;
  const parent = anyParent(chooser);
  const children = childrenFor(chooser, parent);
  switch (dice.below(7)) {
    case 0:
    case 1: {
      const place = dice.chance(0.04)
        ? dice.pick([-1, children.length + 3, 0.5])
        : dice.below(children.length + 1);
      return { verb: "insertAt", parent, child: childOrAny(chooser, children), place };
    }
    case 2:
    case 3: {
      const sibling = childOrAny(chooser, children);
      const side = dice.pick(["before", "after"] as const);
      return { verb: "moveBeside", side, child: childOrAny(chooser, children), sibling };
    }
    case 4: {
      const order = shuffled(dice, children);
      if (dice.chance(0.05)) order.push(anyEntity(chooser));
      if (dice.chance(0.05)) order.pop();
      return { verb: "setChildOrder", parent, order };
    }
    case 5:
      return { verb: "sortChildren", parent, salt: 1 + dice.below(6), byClock: dice.chance(0.3) };
    default:
      return chooseReplacement(chooser, parent, children);
  }
}

function chooseReplacement(chooser: Chooser, parent: Twin, children: readonly Twin[]): Command {
  const { dice } = chooser;
  if (dice.chance(0.3)) return { verb: "detachChildren", parent };
  const list = shuffled(
    dice,
    children.filter(() => dice.chance(0.8)),
  );
  const wanted = dice.below(3);
  for (let at = 0; at < wanted; at++) {
    const other = anyEntity(chooser);
    if (!list.includes(other) || dice.chance(0.02)) list.push(other);
  }
  return { verb: "replaceChildren", parent, list };
}

function childrenFor({ naive }: Chooser, parent: Twin): Twin[] {
  return naive.living.has(parent) ? childrenOf(naive, parent) : [];
}

function childOrAny(chooser: Chooser, children: readonly Twin[]): Twin {
  return children.length > 0 && chooser.dice.chance(0.7) ? chooser.dice.pick(children) : anyEntity(chooser);
}

/** The functions of `hierarchy.ts`. */
export function chooseHierarchy(chooser: Chooser): Command {
  const { dice } = chooser;
  const entity = anyEntity(chooser);
  const luck = dice.below(10);
  if (luck >= 8) return chooseAttachMany(chooser);
  if (luck < 2) return { verb: "attach", entity, parent: anyEntity(chooser) };
  if (luck < 4) return { verb: "attach", entity, parent: anyEntity(chooser), storage: storageFor(chooser) };
  if (luck < 6) return { verb: "detach", entity };
  return { verb: luck === 6 ? "detachWithChildren" : "detachWithDescendants", entity };
}

/** Some children of the parent or of another entity, and any entities, in any order; now and then one twice. */
function chooseAttachMany(chooser: Chooser): Command {
  const { dice } = chooser;
  const parent = anyParent(chooser);
  const own = childrenFor(chooser, dice.chance(0.5) ? parent : anyParent(chooser));
  const list = own.filter(() => dice.chance(0.4));
  for (let left = dice.below(3); left > 0; left--) list.push(anyEntity(chooser));
  if (list.length > 0 && dice.chance(0.1)) list.push(dice.pick(list));
  const step = { verb: "attachMany", parent, list: shuffled(dice, list) } as const;
  return dice.chance(0.5) ? step : { ...step, storage: storageFor(chooser) };
}
