/** Picks the commands that are issued inside an iteration; they concern the same entities. */

import { isOn } from "../base/features.ts";
import { spawnedBy } from "../perform/twin-commands.ts";
import { BUFFERS } from "../step/real-world.ts";
import type { Command, Step } from "../step/step.ts";
import { parentOf } from "../twin/world.ts";
import {
  COMMANDS,
  chooseClear,
  chooseClone,
  chooseDestroy,
  chooseDestroyWhere,
  chooseOrphaning,
  chooseRemoveAll,
  chooseRename,
  chooseReserve,
  chooseSet,
  chooseSpawn,
  chooseSpawnMany,
} from "./commands.ts";
import { chooseListInTurn } from "./lists.ts";
import { chooseHierarchy, chooseSiblings } from "./siblings.ts";
import type { Chooser } from "./terms.ts";
import { aliveEntity, anyEntity, below, nameFor, storageFor, valuedComponent } from "./terms.ts";

const SINGLE: readonly ((chooser: Chooser) => Command)[] = [
  ...COMMANDS,
  chooseSpawn,
  chooseSpawn,
  chooseSpawnMany,
  chooseDestroy,
  chooseDestroy,
  chooseSet,
  chooseSet,
  chooseRename,
  chooseOrphaning,
  chooseReserve,
  ...(isOn("clear") ? [chooseClear] : []),
  ...(isOn("clone") ? [chooseShallowClone] : []),
  ...(isOn("siblings") ? [chooseSiblings] : []),
  ...(isOn("bulk") ? [chooseRemoveAll, chooseDestroyWhere] : []),
  ...(isOn("hierarchy") ? [chooseHierarchy] : []),
];

const METHODS = ["each", "eachRun", "eachBatch", "defer", "defer in each", "record"] as const;

/** Commands that may name entities spawned in the same iteration. */
export function chooseIterate(chooser: Chooser): Step {
  const { dice } = chooser;
  const steps = chooseIssued(chooser);
  if (isOn("clone") && dice.chance(0.1)) steps.push(chooseClone(chooser)); // its descendants get no twins before the end
  if (dice.chance(0.1)) steps.splice(dice.below(steps.length + 1), 0, chooseBuffer(chooser));
  chooser.focus = [];
  return { verb: "iterate", method: dice.pick(METHODS), isThrowing: dice.chance(0.1), steps };
}

/** Commands that may also name what other command buffers will spawn. */
export function chooseRecord(chooser: Chooser): Step {
  const { dice } = chooser;
  const steps = chooseIssued(chooser);
  if (dice.chance(0.2)) steps.splice(dice.below(steps.length + 1), 0, chooseBuffer(chooser));
  chooser.focus = [];
  return { verb: "record", buffer: dice.below(BUFFERS), steps };
}

export function chooseBuffer({ dice }: Chooser): Command {
  const verb = dice.chance(0.75) ? "applyCommands" : "discardCommands";
  return { verb, buffer: dice.below(BUFFERS) };
}

function chooseIssued(chooser: Chooser): Command[] {
  const { dice, naive } = chooser;
  const steps: Command[] = [];
  const count = 1 + dice.below(6);
  const recorded = [...naive.buffers.values()].flatMap(({ spawned }) => [...spawned]);
  chooser.focus = [aliveEntity(chooser), aliveEntity(chooser), ...recorded]; // several commands concern the same entities
  while (steps.length < count) {
    const list = chooseListInTurn(chooser);
    const others = dice.chance(0.25) ? chooseSequence(chooser) : [chooseSingle(chooser)];
    const commands = list === undefined ? others : [list, ...others];
    for (const command of commands) {
      steps.push(command.verb === "sortChildren" ? { ...command, byClock: false } : command);
      chooser.focus = [...chooser.focus, ...spawnedBy(command)];
    }
  }
  return steps;
}

function chooseSingle(chooser: Chooser): Command {
  const { dice, naming } = chooser;
  const isAboutNames = naming !== undefined && dice.chance(0.35);
  return dice.pick(isAboutNames ? naming.commands : SINGLE)(chooser);
}

function chooseShallowClone(chooser: Chooser): Command {
  return { ...chooseClone(chooser), isDeep: false };
}

/** Commands whose order matters, or of which one removes what the other needs. */
function chooseSequence(chooser: Chooser): Command[] {
  const { dice, naive, palette } = chooser;
  const entity = dice.pick(chooser.focus);
  const what = dice.pick(palette.components);
  const value: Command = { verb: "set", entity, term: valuedComponent(chooser, what) };
  const name: Command = { verb: "rename", entity, name: nameFor(chooser) };
  switch (dice.below(5)) {
    case 0:
      return [{ verb: "remove", entity, what }, value];
    case 1:
      return isOn("clear") ? [{ verb: "clear", entity }, dice.pick([value, name])] : [value, name];
    case 2: {
      const parent = naive.living.has(entity) ? parentOf(naive, entity) : undefined;
      if (parent === undefined) return [value];
      return [
        { verb: "remove", entity, what: "ChildOf", target: parent },
        { verb: "add", entity, terms: [below(chooser, parent)] },
      ];
    }
    default:
      return dice.chance(0.5)
        ? [chooseAdoption(chooser, entity), { verb: "destroy", entity }]
        : [{ verb: "destroy", entity }, chooseAdoption(chooser, entity)];
  }
}

/** Gives an entity this parent, in one of several ways. */
function chooseAdoption(chooser: Chooser, parent: number): Command {
  const { dice } = chooser;
  const entity = anyEntity(chooser);
  const adoptions: Command[] = [
    { verb: "add", entity, terms: [{ what: "Lit" }, below(chooser, parent)] },
    { verb: "spawn", spawned: [chooser.nextTwin++], terms: [below(chooser, parent)] },
  ];
  if (isOn("siblings")) {
    const sibling = dice.pick(chooser.focus);
    adoptions.push({ verb: "insertAt", parent, child: entity, place: 0 });
    adoptions.push({
      verb: "replaceChildren",
      parent,
      list: entity === sibling ? [entity] : [entity, sibling],
    });
  }
  if (isOn("hierarchy")) {
    adoptions.push({ verb: "attach", entity, parent });
    adoptions.push({ verb: "attach", entity, parent, storage: storageFor(chooser) });
  }
  return dice.pick(adoptions);
}
