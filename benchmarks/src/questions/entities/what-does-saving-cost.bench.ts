// Documents of 100,000 entities: plain data, text, load; beside JSON, structuredClone and single spawns (`growSaved`).
import { createWorld } from "@treeline/core";
import { fromBinary, hashOf, toBinary } from "@treeline/document/binary";
import { fromDocument, toDocument, writeJson } from "@treeline/document/json";
import {
  contentsInBitecs,
  growInBitecs,
  loadInBitecs,
  saveInBitecs,
} from "../../fixtures/saved-in-bitecs.ts";
import { CHILDREN, contentsOf, definitions, growSaved, sumOf } from "../../fixtures/saved-tree.ts";
import { type Contestant, interleave, ratioOf } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

const COUNT = 100_000;
const PACE = { rounds: fullOrQuick(15, 4), time: 0, calls: 1, warmUp: 2 };

const { world, root } = growSaved(COUNT);
const document = toDocument(world, { root });
const text = writeJson(document);
const bytes = toBinary(world, { root });

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
  {
    name: "loaded from bytes",
    checksum: () => {
      const copy = createWorld();
      return sumOf(contentsOf(copy, fromBinary(copy, bytes, { definitions })[0]!));
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
    name: "bytes, toBinary",
    most: 180,
    run: () => {
      loaded = toBinary(world, { root });
    },
  },
  {
    name: "load, fromBinary of the bytes",
    most: 500,
    run: () => {
      loaded = fromBinary(createWorld(), bytes, { definitions });
    },
  },
  {
    name: "hash of the tree, hashOf",
    run: () => {
      loaded = hashOf(world, root);
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
      loaded = growSaved(COUNT);
    },
  },
];

const timings = interleave(contestants, PACE);
const base = timings[contestants.findIndex(({ name }) => name.startsWith("structuredClone"))]!;
printTable(
  `100,000 entities with a name, a parent of ${CHILDREN} children and two components of two f32: ${(text.length / 1e6).toFixed(1)} MB of JSON, ${(bytes.length / 1e6).toFixed(1)} MB of bytes. ` +
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
