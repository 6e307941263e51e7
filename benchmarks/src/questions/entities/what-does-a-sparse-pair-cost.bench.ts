// Pairs of a relation with many targets, which come and go one by one and are listed, beside koota's: sparse ones, and those in tables.
import {
  Any,
  add,
  createWorld,
  type Entity,
  type Relation,
  relation,
  sparse,
  spawn,
  targetsOf,
} from "@treeline/core";
import { removeAll } from "@treeline/query";
import { relation as kootaRelation } from "koota";
import { createOnlyWorld, spawnMoving } from "../../comparison/contestants/koota/world.ts";
import type { Subject } from "../../comparison/workloads/subject.ts";
import { Position, Velocity } from "../../fixtures/components.ts";
import { printQuestion } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";
import { measureSubjects, type Player, proveSubjects } from "../../measure/subjects.ts";

printQuestion(import.meta.url);

const SUBJECTS = 2_500;
const TARGETS = 8;
const PAIRS = SUBJECTS * TARGETS;
const PACE = { rounds: fullOrQuick(25, 6), time: 0, calls: 2, warmUp: 10 };

/** The same pairs, by three steps. */
interface Crowd {
  /** Each entity gets its pairs with those behind it, one by one. */
  readonly link: () => void;
  /** How many pairs there are: of each entity, its targets are listed. */
  readonly count: () => number;
  readonly unlink: () => void;
}

const Near = kootaRelation();

function crowdOfKoota(): Crowd {
  const world = createOnlyWorld();
  const all = Array.from({ length: SUBJECTS }, (_, at) => spawnMoving(world, at));
  return {
    link: () => {
      for (let at = 0; at < SUBJECTS; at++)
        for (let step = 1; step <= TARGETS; step++) all[at]!.add(Near(all[(at + step) % SUBJECTS]!));
    },
    count: () => {
      let sum = 0;
      for (const one of all) sum += one.targetsFor(Near).length;
      return sum;
    },
    unlink: () => {
      for (const one of all) one.remove(Near("*"));
    },
  };
}

function crowdOf(pairs: Relation): Crowd {
  const world = createWorld();
  const all: Entity[] = [];
  for (let at = 0; at < SUBJECTS; at++) all.push(spawn(world, Position({ x: at, y: 0 }), Velocity));
  return {
    link: () => {
      for (let at = 0; at < SUBJECTS; at++)
        for (let step = 1; step <= TARGETS; step++) add(world, all[at]!, pairs(all[(at + step) % SUBJECTS]!));
    },
    count: () => {
      let sum = 0;
      for (const one of all) sum += targetsOf(world, one, pairs).length;
      return sum;
    },
    unlink: () => removeAll(world, pairs(Any)),
  };
}

type Step = "link" | "count" | "unlink";

/** Before each run there are no pairs, or all of them. */
function stepOf({ link, count, unlink }: Crowd, step: Step): Subject {
  let counted = 0;
  const run = { link, unlink, count: () => (counted += count()) }[step];
  const before = (): void => {
    unlink();
    if (step !== "link") link();
  };
  return { before, run: () => void run(), checksum: () => counted + count() };
}

const NEAR = {
  sparse: relation("NearBySparsePair", { storage: sparse }),
  tables: relation("NearByPairInTables"),
};

/** At most so many nanoseconds for a sparse pair: what koota takes by half as much again, a fifth, and as much. */
const WORDS: Readonly<Record<Step, string>> = {
  link: "added one by one",
  count: "listed, 8 targets at a time",
  unlink: "removed, those of an entity at a time or all at once",
};

for (const step of ["link", "count", "unlink"] as const) {
  const players: readonly Player[] = [
    { row: "koota", subject: stepOf(crowdOfKoota(), step) },
    { row: "Treeline, sparse", subject: stepOf(crowdOf(NEAR.sparse), step) },
    { row: "Treeline, in tables", subject: stepOf(crowdOf(NEAR.tables), step) },
  ];
  proveSubjects(players, 2);
  measureSubjects(players, {
    key: `sparse-pair-${step}`,
    note: `20,000 pairs ${WORDS[step]}. Ratios against the first row.`,
    pieces: PAIRS,
    piece: "pair",
    pace: PACE,
  });
}
