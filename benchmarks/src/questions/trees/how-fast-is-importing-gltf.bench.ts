// 59,089 objects with names, as a loader makes them, become entities (`importGltf`).
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { createWorld } from "@treeline/core";
import { pathOf } from "@treeline/names";
import { importGltf } from "@treeline/three";
import { Object3D } from "three";
import { interleave } from "../../measure/interleave.ts";
import { checksumOf, proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

/** From the folder of the bundle. */
const PATHS = new URL("../../examples/files/data/test262-paths.txt.gz", import.meta.url);
const NODES = 59_088;

const lines = gunzipSync(readFileSync(PATHS)).toString("utf8").trim().split("\n");

/** The folders and files of the list as objects, as a loader makes them: each with a name and a place. */
function loaded(): { readonly scene: Object3D; readonly paths: ReadonlyMap<string, Object3D> } {
  const scene = new Object3D();
  const paths = new Map([["", scene]]);
  for (const line of lines) {
    let above = scene;
    for (let end = line.indexOf("/"); ; end = line.indexOf("/", end + 1)) {
      const path = end < 0 ? line : line.slice(0, end);
      let object = paths.get(path);
      if (object === undefined) {
        object = new Object3D();
        object.name = path.slice(path.lastIndexOf("/") + 1);
        object.position.set(paths.size, 0, 0);
        paths.set(path, object);
        above.add(object);
      }
      above = object;
      if (end < 0) break;
    }
  }
  return { scene, paths };
}

printQuestion(import.meta.url);
const { scene, paths } = loaded();
const world = createWorld();
const { entities, root } = importGltf(world, { scene });
const objects = [...paths.values()].slice(1);
const names = [...paths.keys()].slice(1);
proveEqual([
  {
    name: "the list",
    checksum: () => checksumOf(names.length, (at) => names[at]!.length + names[at]!.charCodeAt(0)),
  },
  {
    name: "the world",
    checksum: () =>
      checksumOf(objects.length, (at) => {
        const path = pathOf(world, entities.get(objects[at]!)!, { from: root, separator: "/" });
        return path.length + path.charCodeAt(0);
      }),
  },
]);

let given = loaded();
let into = createWorld();
const [timing] = interleave(
  [
    {
      name: "importGltf",
      before: () => {
        given = loaded();
        into = createWorld();
      },
      run: () => {
        importGltf(into, given);
      },
    },
  ],
  { rounds: fullOrQuick(15, 3), time: 0, calls: 1, warmUp: 3 },
);
printTable(
  `${(objects.length + 1).toLocaleString("en")} objects with names, as GLTFLoader makes them, become entities.`,
  [
    {
      row: "importGltf",
      measured: nanosecondsAndLow(timing!, NODES, "object"),
      goal: atMost(80, "ms", timing!.median),
    },
  ],
);
