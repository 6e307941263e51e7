import {
  ChildOf,
  component,
  createWorld,
  type Entity,
  f32,
  get,
  parentOf,
  spawn,
  type World,
} from "@treeline/core";
import { fromDocument, toDocument, writeJson } from "@treeline/document/json";
import { Name } from "@treeline/names";
import { descendants } from "@treeline/query";
import {
  type Content,
  contentsInBitecs,
  growInBitecs,
  loadInBitecs,
  saveInBitecs,
} from "../../fixtures/saved-in-bitecs.ts";
import { type Contestant, interleave, ratioOf } from "../../measure/interleave.ts";
import { checksumOf, proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

const Position = component("Position", { x: f32, y: f32 });
const Velocity = component("Velocity", { x: f32, y: f32 });
const definitions = [Position, Velocity];

const COUNT = 100_000;
const CHILDREN = 10;
const PACE = { rounds: fullOrQuick(15, 4), time: 0, calls: 1, warmUp: 2 };

function grow(): { readonly world: World; readonly root: Entity } {
  const world = createWorld();
  const all = [spawn(world, Name("root"), Position, Velocity)];
  for (let at = 1; at < COUNT; at++) {
    const parent = all[Math.floor((at - 1) / CHILDREN)]!;
    const values = [Position({ x: at * 0.1, y: Math.sin(at) }), Velocity({ x: Math.cos(at), y: at })];
    all.push(spawn(world, Name(`entity ${at}`), ...values, ChildOf(parent)));
  }
  return { world, root: all[0]! };
}

const { world, root } = grow();
const document = toDocument(world, { root });
const text = writeJson(document);

function contentsOf(inWorld: World, top: Entity): Content[] {
  const all = [top, ...descendants(inWorld, top)];
  const places = new Map(all.map((entity, at) => [entity, at]));
  return all.map((entity) => ({
    name: get(inWorld, entity, Name)!,
    parent: places.get(parentOf(inWorld, entity) ?? entity) ?? -1,
    position: get(inWorld, entity, Position)!,
    velocity: get(inWorld, entity, Velocity)!,
  }));
}

/** Parents are before their children, so the root has the place 0 as its parent, in whichever way it is stored. */
function sumOf(contents: readonly Content[]): number {
  return checksumOf(contents.length, (at) => {
    const { name, parent, position, velocity } = contents[at]!;
    const sum = position.x + position.y + velocity.x + velocity.y;
    return Math.round(sum * 1000) + name.length + Math.max(parent, 0);
  });
}

const contents = contentsOf(world, root);
const inBitecs = growInBitecs(contents);
const savedInBitecs = saveInBitecs(inBitecs);

printQuestion(import.meta.url);
proveEqual([
  { name: "saved", checksum: () => sumOf(contents) },
  {
    name: "loaded",
    checksum: () => {
      const copy = createWorld();
      return sumOf(contentsOf(copy, fromDocument(copy, text, { definitions })[0]!));
    },
  },
  { name: "loaded by bitECS", checksum: () => sumOf(contentsInBitecs(loadInBitecs(savedInBitecs))) },
]);

let loaded: unknown;
const contestants: readonly (Contestant & { readonly most?: number })[] = [
  {
    name: "plain data, toDocument",
    most: 600,
    run: () => {
      loaded = toDocument(world, { root });
    },
  },
  {
    name: "text, writeJson of toDocument",
    most: 1_500,
    run: () => {
      loaded = writeJson(toDocument(world, { root }));
    },
  },
  {
    name: "load, fromDocument of the text",
    most: 1_800,
    run: () => {
      loaded = fromDocument(createWorld(), text, { definitions });
    },
  },
  {
    name: "JSON.stringify of the plain data",
    run: () => {
      loaded = JSON.stringify(document);
    },
  },
  {
    name: "JSON.parse of the text",
    run: () => {
      loaded = JSON.parse(text);
    },
  },
  {
    name: "structuredClone of the plain data",
    run: () => {
      loaded = structuredClone(document);
    },
  },
  {
    name: "snapshot serializer of bitECS, binary, the parent as a field",
    run: () => {
      loaded = saveInBitecs(inBitecs);
    },
  },
  {
    name: "snapshot deserializer of bitECS",
    run: () => {
      loaded = loadInBitecs(savedInBitecs);
    },
  },
  {
    name: "spawn one by one",
    run: () => {
      loaded = grow();
    },
  },
];

const timings = interleave(contestants, PACE);
const base = timings[contestants.findIndex(({ name }) => name.startsWith("structuredClone"))]!;
printTable(
  `100,000 entities with a name, a parent of ${CHILDREN} children and two components of two f32: ${(text.length / 1e6).toFixed(1)} MB of JSON. ` +
    "Ratios against structuredClone of the same plain data.",
  contestants.map(({ name, most }, at): Row => {
    const timing = timings[at]!;
    return {
      row: name,
      measured: nanosecondsAndLow(timing, COUNT, "entity"),
      ratio: ratioOf(timing, base),
      ...(most === undefined ? {} : { goal: atMost(most, "ns", (timing.median * 1e6) / COUNT) }),
    };
  }),
);
if (loaded === undefined) throw new Error("nothing was made");
