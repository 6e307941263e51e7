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
const ASKED = 20_000;
const BRANCHES = 10;

/** Node -> its name: the root is "root", and siblings are called n0 to n9. */
const NAMES = Array.from(PARENTS, (_, node) => (node === 0 ? "root" : `n${(node - 1) % BRANCHES}`));

/** Random leaves, the same for all and each time. */
const ASKED_NODES = askedNodes();
const ASKED_PATHS = Array.from(ASKED_NODES, (node) => flat(stepsTo(node).join("::")));
/** Names that are no parts of paths. */
const ASKED_NAMES = Array.from(ASKED_NODES, (node) => flat(NAMES[node]!));

function askedNodes(): Int32Array {
  const dice = diceOf(9);
  const leaves = BRANCHES ** 5;
  return Int32Array.from({ length: ASKED }, () => PARENTS.length - leaves + dice(leaves));
}

function stepsTo(node: number): string[] {
  const steps: string[] = [];
  for (let at = node; at >= 0; at = PARENTS[at]!) steps.push(NAMES[at]!);
  return steps.reverse();
}

/** The same text in one piece: engines put joined ones together when they are first read. */
function flat(text: string): string {
  return String.fromCharCode(...Array.from(text, (sign) => sign.charCodeAt(0)));
}

/** Who can do what is asked, node by node; numbers in place of entities. */
interface Entrant {
  readonly name: string;
  /** Asked path -> node. */
  readonly find: (at: number) => number;
  /** Asked node -> its node again, found as a child of its parent. */
  readonly findChild: (at: number) => number;
  /** Asked node -> its path. */
  readonly write: (at: number) => string;
  /** Asked path -> node, kept ready. */
  readonly hold: (at: number) => number;
}

interface Branch {
  readonly node: number;
  readonly name: string;
  readonly above: Branch | undefined;
  readonly below: Map<string, Branch>;
}

/** A tree of maps, paths cut by `split`: what programs write by hand. */
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
    for (const step of ASKED_PATHS[at]!.split("::")) {
      found = level?.get(step);
      level = found?.below;
    }
    return found?.node ?? -1;
  };
  return {
    name: "hand-written: a map of children at each node, `split`",
    find,
    findChild: (at) => branches[PARENTS[ASKED_NODES[at]!]!]!.below.get(ASKED_NAMES[at]!)?.node ?? -1,
    write: (at) => {
      const steps: string[] = [];
      for (let branch = branches[ASKED_NODES[at]!]; branch !== undefined; branch = branch.above) {
        steps.push(branch.name);
      }
      return steps.reverse().join("::");
    },
    hold: find,
  };
}

/** One map from whole paths: no tree at all, to be made anew when somebody is renamed. */
function mapOfPaths(): Entrant {
  const nodes = new Map(Array.from(PARENTS, (_, node) => [flat(stepsTo(node).join("::")), node]));
  const paths = Array.from(ASKED_NODES, (node) => stepsTo(node).join("::"));
  const find = (at: number): number => nodes.get(ASKED_PATHS[at]!) ?? -1;
  return {
    name: "hand-written: one map from whole paths, which follows nobody",
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
  const handles = ASKED_PATHS.map((text) => path(world, text));
  return {
    name: `Treeline, ${storage.name}`,
    find: (at) => nodes.get(lookup(world, ASKED_PATHS[at]!)!) ?? -1,
    findChild: (at) => {
      const node = ASKED_NODES[at]!;
      return nodes.get(childNamed(world, entities[PARENTS[node]!], ASKED_NAMES[at]!)!) ?? -1;
    },
    write: (at) => pathOf(world, entities[ASKED_NODES[at]!]!),
    hold: (at) => nodes.get(handles[at]!.entity!) ?? -1,
  };
}

/** What is read of a text, so that it has to be in one piece. */
function lastSign(text: string): number {
  return text.charCodeAt(text.length - 1);
}

/** Loops of their own for each contestant: handed in, they would slow one another down. */
function contestantsOf(storage: Storage): Record<"find" | "child" | "write" | "hold", Contestant> {
  const { world, entities } = plant(storage);
  const { name } = storage;
  const parents = Array.from(ASKED_NODES, (node) => entities[PARENTS[node]!]!);
  const leaves = Array.from(ASKED_NODES, (node) => entities[node]!);
  const handles: PathHandle[] = ASKED_PATHS.map((text) => path(world, text));
  let kept: unknown;
  const contestant = (run: () => void): Contestant => ({ name: `Treeline, ${name}`, run });
  return {
    find: contestant(() => {
      for (const text of ASKED_PATHS) kept = lookup(world, text);
    }),
    child: contestant(() => {
      for (let at = 0; at < ASKED; at++) kept = childNamed(world, parents[at], ASKED_NAMES[at]!);
    }),
    write: contestant(() => {
      for (const leaf of leaves) kept = lastSign(pathOf(world, leaf));
    }),
    hold: contestant(() => {
      for (const handle of handles) kept = handle.entity ?? kept;
    }),
  };
}

function byHand(entrant: Entrant): Record<"find" | "child" | "write" | "hold", Contestant> {
  let kept: unknown;
  const contestant = (ask: (at: number) => unknown): Contestant => ({
    name: entrant.name,
    run: () => {
      for (let at = 0; at < ASKED; at++) kept = ask(at) ?? kept;
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
      checksum: () => checksumOf(ASKED, answer(entrant)),
    })),
  );
}
proveEqual(
  entrants.map(({ name, write }) => ({
    name,
    checksum: () =>
      checksumOf(ASKED, (at) => checksumOf(write(at).length, (sign) => write(at).charCodeAt(sign))),
  })),
);

const ways = [byHand(maps), byHand(paths), ...STORAGES.map(contestantsOf)];

function compete(question: keyof (typeof ways)[number], note: string, limit: number): void {
  const contestants = ways.map((way) => way[question]);
  const timings = interleave(contestants);
  printTable(
    note,
    contestants.map(({ name }, at): Row => {
      const timing = timings[at]!;
      return {
        row: name,
        measured: nanosecondsAndLow(timing, ASKED, "question"),
        ratio: ratioOf(timing, timings[0]!),
        ...(at < 2 ? {} : { goal: atMost(limit, "ns", (timing.median * 1e6) / ASKED) }),
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
  "The path of each leaf, written and read. (The second row only reads what was written before.) Flecs 4.1.6 in C: 1,595 ns.",
  450,
);
compete("hold", "Paths that are kept and asked again, as handles where there are such.", 20);

/** The file paths of a large project that have six steps: long names, nearly all of them different. */
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
  const findByHand = (file: string): number => {
    let folder: Folder | undefined = root;
    for (const step of file.split("/")) folder = folder?.below.get(step);
    return folder?.number ?? -1;
  };
  proveEqual([
    { name: "hand-written", checksum: () => checksumOf(files.length, (at) => findByHand(files[at]!)) },
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
        for (const file of files) kept = findByHand(file) || kept;
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
