// Scenes of three.js: 10,000 objects of which 1 % moved, beside three.js alone; 100,000 instances that all move.
import { ChildOf, createWorld, type Entity, set, spawn, spawnRows, tag } from "@treeline/core";
import { eachRun, query } from "@treeline/query";
import { attachScene, instances, objectOf, updateScene } from "@treeline/three";
import { Local3D, propagate, World3D } from "@treeline/transform/3d";
import { BoxGeometry, MeshBasicMaterial, Object3D, Scene } from "three";
import { diceOf } from "../../fixtures/dice.ts";
import { interleave, ratioOf } from "../../measure/interleave.ts";
import { checksumOf, proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

const OBJECTS = 10_000;
const MOVED = OBJECTS / 100;
const INSTANCES = 100_000;
const PACE = { rounds: fullOrQuick(25, 4), time: 0, calls: 1, warmUp: 5 };
/** So that the compiler has seen the frames of objects, of which a program has 60 a second. */
const MANY = { ...PACE, rounds: fullOrQuick(400, 20), warmUp: 200 };
const Part = tag("Part");

printQuestion(import.meta.url);
measureObjects();
measureInstances();

/** A thousand objects, each with nine below it. */
function parentOfObject(at: number): number {
  return at % 10 === 0 ? -1 : at - (at % 10);
}

function measureObjects(): void {
  const world = createWorld();
  const scene = new Scene();
  attachScene(world, scene, [{ with: Part, make: () => new Object3D() }]);
  const entities: Entity[] = [];
  const plain = new Scene();
  const objects: Object3D[] = [];
  for (let at = 0; at < OBJECTS; at++) {
    const parent = parentOfObject(at);
    const below = parent < 0 ? [] : [ChildOf(entities[parent]!)];
    entities.push(spawn(world, Local3D({ position: [1, 0, 0] }), World3D, Part, ...below));
    const object = new Object3D();
    object.position.x = 1;
    (parent < 0 ? plain : objects[parent]!).add(object);
    objects.push(object);
  }
  updateScene(world);
  const dice = diceOf(OBJECTS);
  let turn = 0;
  const lists = Array.from({ length: 16 }, () => Array.from({ length: MOVED }, () => dice(OBJECTS)));
  const moveBoth = (): void => {
    turn++;
    for (const at of lists[turn % lists.length]!) {
      const x = turn % 8;
      set(world, entities[at]!, Local3D, { position: [x, 0, 0] });
      objects[at]!.position.x = x;
    }
  };
  const own = (): void => {
    updateScene(world);
    scene.updateMatrixWorld();
  };
  const others = (): void => plain.updateMatrixWorld();
  moveBoth();
  own();
  others();
  const placesOf = (object: (at: number) => Object3D): number =>
    checksumOf(OBJECTS, (at) => object(at).matrixWorld.elements[12]!);
  proveEqual([
    { name: "updateScene", checksum: () => placesOf((at) => objectOf(world, entities[at]!)!) },
    { name: "three.js", checksum: () => placesOf((at) => objects[at]!) },
  ]);
  const idle = { name: "nothing moved", run: own };
  const [three, some, none] = interleave(
    [
      { name: "three.js", run: others, before: moveBoth },
      { name: "updateScene", run: own, before: moveBoth },
      idle,
    ],
    MANY,
  );
  printTable(
    `${OBJECTS.toLocaleString("en")} objects of which 1 % moved. Both with what three.js does in each frame, updateMatrixWorld of the scene.`,
    [
      { row: "three.js alone, with its own flags", measured: nanosecondsAndLow(three!, OBJECTS, "object") },
      {
        row: "updateScene and three.js",
        measured: nanosecondsAndLow(some!, OBJECTS, "object"),
        ratio: ratioOf(some!, three!),
        goal: atMost(0.06, "x", ratioOf(some!, three!)),
      },
      {
        row: "the same where nothing moved",
        measured: nanosecondsAndLow(none!, OBJECTS, "object"),
        ratio: ratioOf(none!, three!),
      },
    ],
  );
}

function measureInstances(): void {
  const world = createWorld();
  const scene = new Scene();
  const kind = instances(Part, new BoxGeometry(1, 1, 1), new MeshBasicMaterial(), { capacity: INSTANCES });
  attachScene(world, scene, [kind]);
  spawnRows(world, INSTANCES, [Local3D, World3D, Part]);
  updateScene(world);
  const moving = query(world, Local3D, Part);
  let step = 0;
  const move = (): void => {
    step++;
    eachRun(
      moving,
      (run) => {
        const { position } = run.columns(Local3D);
        for (let row = run.first; row < run.end; row++) position[row * 3] = (row % 100) + step;
      },
      { writes: [Local3D] },
    );
  };
  const [moved, placed, whole] = interleave(
    [
      { name: "moving", run: move },
      {
        name: "moving and propagate",
        run: () => {
          move();
          propagate(world);
        },
      },
      {
        name: "a frame",
        run: () => {
          move();
          updateScene(world);
        },
      },
    ],
    PACE,
  );
  printTable(
    `${INSTANCES.toLocaleString("en")} instances that all move; everything of a frame but drawing.`,
    [
      { row: "a loop over columns moves them", measured: nanosecondsAndLow(moved!, INSTANCES, "instance") },
      { row: "and propagate", measured: nanosecondsAndLow(placed!, INSTANCES, "instance") },
      {
        row: "and the instances of three.js: a frame",
        measured: nanosecondsAndLow(whole!, INSTANCES, "instance"),
        goal: atMost(160, "ns", (whole!.median * 1e6) / INSTANCES),
      },
    ],
  );
}
