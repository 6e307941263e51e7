// W9: `LOOKUPS` by path, by name below a parent and by kept path, and written paths, against maps (`treeOfMaps`, `mapOfPaths`).
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { createWorld, type Entity, spawn, type World } from "@treeline/core";
import {
  childNamed,
  configureNames,
  ensurePath,
  lookup,
  Name,
  type PathHandle,
  path,
  pathOf,
} from "@treeline/names";
import { diceOf } from "../../fixtures/dice.ts";
import { STORAGES, type Storage } from "../../fixtures/storages.ts";
import { treeOf } from "../../fixtures/trees.ts";
import { type Contestant, interleave, ratioOf } from "../../measure/interleave.ts";
import { checksumOf, proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";

printQuestion(import.meta.url);

const PARENTS = treeOf("a");
const LOOKUPS = 20_000;
const BRANCHES = 10;

/** Node -> its name: the root is "root", and siblings are called n0 to n9. */
const NAMES = Array.from(PARENTS, (_, node) => (node === 0 ? "root" : `n${(node - 1) % BRANCHES}`));

/** Random leaves, the same for all contestants and runs. */
const NODES = randomLeaves();
const PATHS = Array.from(NODES, (node) => flat(stepsTo(node).join("::")));
/** Names that are separate texts, not parts of paths. */
const LEAF_NAMES = Array.from(NODES, (node) => flat(NAMES[node]!));

function randomLeaves(): Int32Array {
  const dice = diceOf(9);
  const leaves = BRANCHES ** 5;
  return Int32Array.from({ length: LOOKUPS }, () => PARENTS.length - leaves + dice(leaves));
}

function stepsTo(node: number): string[] {
  const steps: string[] = [];
  for (let at = node; at >= 0; at = PARENTS[at]!) steps.push(NAMES[at]!);
  return steps.reverse();
}

/** The same text in one piece: engines concatenate joined texts when they are first read. */
function flat(text: string): string {
  return String.fromCharCode(...Array.from(text, (sign) => sign.charCodeAt(0)));
}

/** One implementation of the lookups, node by node; numbers in place of entities. */
interface Entrant {
  readonly name: string;
  /** Number of a path -> node. */
  readonly find: (at: number) => number;
  /** Number of a node -> the same node, found as a child of its parent. */
  readonly findChild: (at: number) => number;
  /** Number of a node -> its path. */
  readonly write: (at: number) => string;
  /** Number of a path -> node, by something that is kept ready. */
  readonly hold: (at: number) => number;
}

interface Branch {
  readonly node: number;
  readonly name: string;
  readonly above: Branch | undefined;
  readonly below: Map<string, Branch>;
}

/** A tree of maps, paths split by `split`: the usual hand-written code. */
function treeOfMaps(): Entrant {
  const branches: Branch[] = [];
  for (let node = 0; node < PARENTS.length; node++) {
    const above = branches[PARENTS[node]!];
    const branch: Branch = { node, name: NAMES[node]!, above, below: new Map() };
    above?.below.set(branch.name, branch);
    branches.push(branch);
  }
  const root = branches[0]!;
  const roots = new Map([[root.name, root]]);
  const find = (at: number): number => {
    let level: Map<string, Branch> | undefined = roots;
    let found: Branch | undefined;
    for (const step of PATHS[at]!.split("::")) {
      found = level?.get(step);
      level = found?.below;
    }
    return found?.node ?? -1;
  };
  return {
    name: "hand-written: a map of children at each node, `split`",
    find,
    findChild: (at) => branches[PARENTS[NODES[at]!]!]!.below.get(LEAF_NAMES[at]!)?.node ?? -1,
    write: (at) => {
      const steps: string[] = [];
      for (let branch = branches[NODES[at]!]; branch !== undefined; branch = branch.above) {
        steps.push(branch.name);
      }
      return steps.reverse().join("::");
    },
    hold: find,
  };
}

/** One map from whole paths: not a tree; it must be rebuilt when an entity is renamed. */
function mapOfPaths(): Entrant {
  const nodes = new Map(Array.from(PARENTS, (_, node) => [flat(stepsTo(node).join("::")), node]));
  const paths = Array.from(NODES, (node) => stepsTo(node).join("::"));
  const find = (at: number): number => nodes.get(PATHS[at]!) ?? -1;
  return {
    name: "hand-written: one map from whole paths, which does not follow renames",
    find,
    findChild: find,
    write: (at) => paths[at]!,
    hold: find,
  };
}

interface Planted {
  readonly world: World;
  readonly entities: readonly Entity[];
}

function plant({ below }: Storage): Planted {
  const world = createWorld();
  const entities: Entity[] = [];
  for (let node = 0; node < PARENTS.length; node++) {
    const parent = entities[PARENTS[node]!];
    const name = Name(NAMES[node]!);
    entities.push(parent === undefined ? spawn(world, name) : spawn(world, name, below(parent)));
  }
  return { world, entities };
}

function treeline(storage: Storage): Entrant {
  const { world, entities } = plant(storage);
  const nodes = new Map(entities.map((entity, node) => [entity, node]));
  const handles = PATHS.map((text) => path(world, text));
  return {
    name: `Treeline, ${storage.name}`,
    find: (at) => nodes.get(lookup(world, PATHS[at]!)!) ?? -1,
    findChild: (at) => {
      const node = NODES[at]!;
      return nodes.get(childNamed(world, entities[PARENTS[node]!]!, LEAF_NAMES[at]!)!) ?? -1;
    },
    write: (at) => pathOf(world, entities[NODES[at]!]!),
    hold: (at) => nodes.get(handles[at]!.entity!) ?? -1,
  };
}

/** Reads one character of a text, so that it must be in one piece. */
function lastSign(text: string): number {
  return text.charCodeAt(text.length - 1);
}

/** Separate loops for each contestant: loops that are passed in would slow each other down. */
function contestantsOf(storage: Storage): Record<"find" | "child" | "write" | "hold", Contestant> {
  const { world, entities } = plant(storage);
  const { name } = storage;
  const parents = Array.from(NODES, (node) => entities[PARENTS[node]!]!);
  const leaves = Array.from(NODES, (node) => entities[node]!);
  const handles: PathHandle[] = PATHS.map((text) => path(world, text));
  let kept: unknown;
  const contestant = (run: () => void): Contestant => ({ name: `Treeline, ${name}`, run });
  return {
    find: contestant(() => {
      for (const text of PATHS) kept = lookup(world, text);
    }),
    child: contestant(() => {
      for (let at = 0; at < LOOKUPS; at++) kept = childNamed(world, parents[at]!, LEAF_NAMES[at]!);
    }),
    write: contestant(() => {
      for (const leaf of leaves) kept = lastSign(pathOf(world, leaf));
    }),
    hold: contestant(() => {
      for (const handle of handles) kept = handle.entity ?? kept;
    }),
  };
}

function handWritten(entrant: Entrant): Record<"find" | "child" | "write" | "hold", Contestant> {
  let kept: unknown;
  const contestant = (lookupAt: (at: number) => unknown): Contestant => ({
    name: entrant.name,
    run: () => {
      for (let at = 0; at < LOOKUPS; at++) kept = lookupAt(at) ?? kept;
    },
  });
  return {
    find: contestant(entrant.find),
    child: contestant(entrant.findChild),
    write: contestant((at) => lastSign(entrant.write(at))),
    hold: contestant(entrant.hold),
  };
}

const maps = treeOfMaps();
const paths = mapOfPaths();
const entrants = [maps, paths, ...STORAGES.map(treeline)];
for (const [question, answer] of [
  ["find", (entrant: Entrant) => entrant.find],
  ["child", (entrant: Entrant) => entrant.findChild],
  ["hold", (entrant: Entrant) => entrant.hold],
] as const) {
  proveEqual(
    entrants.map((entrant) => ({
      name: `${entrant.name}, ${question}`,
      checksum: () => checksumOf(LOOKUPS, answer(entrant)),
    })),
  );
}
proveEqual(
  entrants.map(({ name, write }) => ({
    name,
    checksum: () =>
      checksumOf(LOOKUPS, (at) => checksumOf(write(at).length, (sign) => write(at).charCodeAt(sign))),
  })),
);

const ways = [handWritten(maps), handWritten(paths), ...STORAGES.map(contestantsOf)];

function compete(question: keyof (typeof ways)[number], note: string, limit: number): void {
  const contestants = ways.map((way) => way[question]);
  const timings = interleave(contestants);
  printTable(
    note,
    contestants.map(({ name }, at): Row => {
      const timing = timings[at]!;
      return {
        row: name,
        measured: nanosecondsAndLow(timing, LOOKUPS, "question"),
        ratio: ratioOf(timing, timings[0]!),
        ...(at < 2 ? {} : { goal: atMost(limit, "ns", (timing.median * 1e6) / LOOKUPS) }),
      };
    }),
  );
}

compete(
  "find",
  "W9: 111,111 entities, ten below each down to level 5; 20,000 random leaves by paths of six steps from the roots. " +
    "Ratios against the first row. Flecs 4.1.6 in C: 1,463 ns (ChildOf), 1,574 ns (Parent).",
  450,
);
compete(
  "child",
  "The same leaves, each by its name among the children of its parent. Flecs 4.1.6 in C: 278 ns.",
  70,
);
compete(
  "write",
  "The path of each leaf, written and read. (The second row only reads a path that was written before.) Flecs 4.1.6 in C: 1,595 ns.",
  450,
);
compete("hold", "Paths that are kept and found again, as handles where the library has them.", 20);

/** The file paths of a large project with six steps: long names, nearly all of them different. */
function pathsOfFiles(): string[] {
  const packed = readFileSync(new URL("../../examples/files/data/test262-paths.txt.gz", import.meta.url));
  const lines = gunzipSync(packed).toString("utf8").trim().split("\n");
  return lines.filter((line) => line.split("/").length === 6).map(flat);
}

interface Folder {
  readonly number: number;
  readonly below: Map<string, Folder>;
}

function competeOnFiles(): void {
  const files = pathsOfFiles();
  const world = createWorld();
  configureNames(world, { separator: "/" });
  const numbers = new Map(files.map((file, at) => [ensurePath(world, file), at]));
  const root: Folder = { number: -1, below: new Map() };
  for (const [at, file] of files.entries()) {
    let folder = root;
    const steps = file.split("/");
    for (const [level, step] of steps.entries()) {
      let next = folder.below.get(step);
      if (next === undefined) {
        next = { number: level === steps.length - 1 ? at : -1, below: new Map() };
        folder.below.set(step, next);
      }
      folder = next;
    }
  }
  const findHandWritten = (file: string): number => {
    let folder: Folder | undefined = root;
    for (const step of file.split("/")) folder = folder?.below.get(step);
    return folder?.number ?? -1;
  };
  proveEqual([
    { name: "hand-written", checksum: () => checksumOf(files.length, (at) => findHandWritten(files[at]!)) },
    {
      name: "Treeline",
      checksum: () => checksumOf(files.length, (at) => numbers.get(lookup(world, files[at]!)!) ?? -1),
    },
  ]);
  let kept: unknown;
  const timings = interleave([
    {
      name: "hand-written",
      run: () => {
        for (const file of files) kept = findHandWritten(file) || kept;
      },
    },
    {
      name: "Treeline",
      run: () => {
        for (const file of files) kept = lookup(world, file) ?? kept;
      },
    },
  ]);
  printTable(
    `The ${files.length.toLocaleString("en")} file paths of test262 that have six steps, about 70 characters each. Ratios against the first row.`,
    ["hand-written: a map of children at each node, `split`", "Treeline, ChildOf"].map(
      (row, at): Row => ({
        row,
        measured: nanosecondsAndLow(timings[at]!, files.length, "path"),
        ratio: ratioOf(timings[at]!, timings[0]!),
      }),
    ),
  );
}

competeOnFiles();
