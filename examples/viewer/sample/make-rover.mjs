// Writes Rover.glb, the sample that the viewer shows at the start: `node examples/viewer/sample/make-rover.mjs`.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import {
  AnimationClip,
  BoxGeometry,
  CylinderGeometry,
  DoubleSide,
  Euler,
  Group,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  QuaternionKeyframeTrack,
  Scene,
  SphereGeometry,
  VectorKeyframeTrack,
} from "three";
import { GLTFExporter } from "three/addons/exporters/GLTFExporter.js";

const material = (name, color, metalness = 0.1, roughness = 0.6) =>
  Object.assign(new MeshStandardMaterial({ color, metalness, roughness }), { name });
const WHITE = material("White", 0xe8e4da);
const GOLD = Object.assign(material("Gold", 0xe0a93f, 0.3, 0.4), { side: DoubleSide });
const DARK = material("Dark", 0x2b2d33, 0.3, 0.8);
const GLASS = material("Glass", 0x3f86c9, 0.2, 0.15);
const RED = material("Red", 0xc8452f);

const BOX = new BoxGeometry(1, 1, 1);
const TUBE = new CylinderGeometry(0.5, 0.5, 1, 20);
const WHEEL = TUBE.clone().rotateX(Math.PI / 2);
const BALL = new SphereGeometry(0.5, 16, 12);
const DISH = new SphereGeometry(0.5, 20, 6, 0, Math.PI * 2, Math.PI / 2, Math.PI / 2).translate(0, 0.5, 0);

/** Geometries of the same size are the same one. */
const sized = new Map();

/** A mesh at a place below another one. Its size is in its geometry, so that what is below it has a scale of 1. */
function part(parent, name, [x, y, z], geometry, look, size, offset = [0, 0, 0]) {
  const key = [geometry.uuid, ...size, ...offset].join();
  if (!sized.has(key))
    sized.set(
      key,
      geometry
        .clone()
        .scale(...size)
        .translate(...offset),
    );
  const mesh = Object.assign(new Mesh(sized.get(key), look), { name });
  mesh.position.set(x, y, z);
  parent.add(mesh);
  return mesh;
}

function wheelBelow(rocker, name, x, side) {
  const strut = part(rocker, `Strut ${name}`, [x, 0, 0], BOX, DARK, [0.1, 0.5, 0.1], [0, -0.22, 0]);
  const wheel = part(strut, `Wheel ${name}`, [0, -0.45, side * 0.24], WHEEL, DARK, [0.62, 0.62, 0.34]);
  for (let spoke = 0; spoke < 3; spoke++)
    part(wheel, `Spoke ${spoke + 1}`, [0, 0, 0], BOX, GOLD, [0.5, 0.07, 0.36]).rotation.z =
      (spoke * Math.PI) / 3;
  return wheel;
}

function buildRover() {
  const rover = new Scene();
  const body = part(rover, "Body", [0, 1.05, 0], BOX, WHITE, [1.9, 0.4, 1.1]);
  part(body, "Deck", [0, 0.23, 0], BOX, GOLD, [1.8, 0.06, 1]);
  part(body, "Battery", [-0.98, 0, 0], BOX, DARK, [0.2, 0.3, 0.9]);
  const cabin = part(body, "Cabin", [0.5, 0.46, 0], BOX, WHITE, [0.7, 0.42, 0.8]);
  part(cabin, "Window", [0.35, 0.04, 0], BOX, GLASS, [0.04, 0.26, 0.64]);
  part(cabin, "Seat", [-0.1, -0.1, 0], BOX, RED, [0.3, 0.1, 0.3]);
  part(cabin, "Hatch", [-0.1, 0.22, 0], BOX, RED, [0.36, 0.04, 0.36]);
  const lamps = Object.assign(new Group(), { name: "Lamps" });
  body.add(lamps);
  for (const [at, z] of [-0.4, 0.4].entries())
    part(lamps, `Lamp ${at + 1}`, [0.95, 0.05, z], BALL, GLASS, [0.14, 0.14, 0.14]);

  const mast = part(body, "Mast", [-0.1, 0.26, 0.3], TUBE, DARK, [0.1, 1, 0.1], [0, 0.5, 0]);
  const head = part(mast, "Head", [0, 1.1, 0], BOX, WHITE, [0.3, 0.24, 0.44]);
  for (const [at, z] of [-0.12, 0.12].entries())
    part(head, `Eye ${at + 1}`, [0.16, 0, z], BALL, GLASS, [0.1, 0.16, 0.16]);
  const antenna = part(body, "Antenna", [-0.7, 0.26, -0.3], TUBE, DARK, [0.07, 0.5, 0.07], [0, 0.25, 0]);
  const dish = part(antenna, "Dish", [0, 0.55, 0], DISH, GOLD, [0.9, 0.25, 0.9]);
  dish.rotation.set(0, 0, 0.6);
  part(dish, "Horn", [0, 0.2, 0], TUBE, RED, [0.05, 0.4, 0.05]);

  const shoulder = part(body, "Shoulder", [0.95, -0.02, -0.3], BALL, GOLD, [0.26, 0.26, 0.26]);
  const upper = part(shoulder, "Upper arm", [0, 0, 0], BOX, WHITE, [0.7, 0.12, 0.12], [0.35, 0, 0]);
  const elbow = part(upper, "Elbow", [0.7, 0, 0], BALL, GOLD, [0.2, 0.2, 0.2]);
  const lower = part(elbow, "Lower arm", [0, 0, 0], BOX, WHITE, [0.5, 0.1, 0.1], [0.25, 0, 0]);
  const hand = part(lower, "Hand", [0.5, 0, 0], TUBE, DARK, [0.18, 0.12, 0.18]);
  const fingers = [-1, 1].map((side) =>
    part(
      hand,
      side < 0 ? "Left finger" : "Right finger",
      [0.08, 0, side * 0.06],
      BOX,
      RED,
      [0.24, 0.06, 0.04],
      [0.1, 0, 0],
    ),
  );

  const wheels = [];
  for (const [name, side] of [
    ["Left", -1],
    ["Right", 1],
  ]) {
    const rocker = part(rover, `${name} rocker`, [0, 0.8, side * 0.68], BOX, WHITE, [2.1, 0.12, 0.1]);
    for (const [place, x] of [
      ["front", 1],
      ["middle", 0],
      ["back", -1],
    ])
      wheels.push(wheelBelow(rocker, place, x, side));
  }
  return { rover, body, head, dish, shoulder, elbow, hand, fingers, wheels };
}

/** @param turns angles about x, y, z in degrees, at each time. */
function turning(object, times, turns) {
  const base = object.quaternion;
  const values = turns.flatMap((angles) => {
    const [x, y, z] = angles.map((angle) => (angle * Math.PI) / 180);
    return base
      .clone()
      .multiply(new Quaternion().setFromEuler(new Euler(x, y, z)))
      .toArray();
  });
  return new QuaternionKeyframeTrack(`${object.uuid}.quaternion`, times, values);
}

function moving(object, times, offsets) {
  const { x, y, z } = object.position;
  const values = offsets.flatMap(([dx, dy, dz]) => [x + dx, y + dy, z + dz]);
  return new VectorKeyframeTrack(`${object.uuid}.position`, times, values);
}

function clipsOf({ body, head, dish, shoulder, elbow, hand, fingers, wheels }) {
  const quarters = [0, 0.5, 1, 1.5, 2];
  const drive = [
    ...wheels.map((wheel) =>
      turning(
        wheel,
        quarters,
        [0, -90, -180, -270, -360].map((angle) => [0, 0, angle]),
      ),
    ),
    moving(body, quarters, [
      [0, 0, 0],
      [0, 0.04, 0],
      [0, 0, 0],
      [0, 0.03, 0],
      [0, 0, 0],
    ]),
  ];
  const look = [
    turning(
      head,
      [0, 1, 2, 3, 4],
      [
        [0, 0, 0],
        [0, 60, 0],
        [0, 60, -15],
        [0, -70, -10],
        [0, 0, 0],
      ],
    ),
    turning(
      dish,
      [0, 2, 4],
      [
        [0, 0, 0],
        [0, 70, 0],
        [0, 0, 0],
      ],
    ),
  ];
  const reach = [
    turning(
      shoulder,
      [0, 1, 2, 3, 4],
      [
        [0, 0, 0],
        [0, 20, 55],
        [0, 20, -20],
        [0, 20, 40],
        [0, 0, 0],
      ],
    ),
    turning(
      elbow,
      [0, 1, 2, 3, 4],
      [
        [0, 0, 0],
        [0, 0, -80],
        [0, 0, -40],
        [0, 0, -90],
        [0, 0, 0],
      ],
    ),
    turning(
      hand,
      [0, 2, 4],
      [
        [0, 0, 0],
        [180, 0, 0],
        [0, 0, 0],
      ],
    ),
    ...fingers.map((finger, at) =>
      turning(
        finger,
        [0, 1.5, 2, 4],
        [
          [0, 0, 0],
          [0, at ? -25 : 25, 0],
          [0, 0, 0],
          [0, 0, 0],
        ],
      ),
    ),
  ];
  return Object.entries({ Drive: drive, Look: look, Reach: reach }).map(
    ([name, tracks]) => new AnimationClip(name, -1, tracks),
  );
}

/** The exporter reads its own blobs, by what only browsers have. */
class Reader {
  readAsArrayBuffer(blob) {
    blob.arrayBuffer().then((buffer) => {
      this.result = buffer;
      this.onloadend();
    });
  }
}

/** @returns the bytes of the file. */
export async function makeRover() {
  globalThis.FileReader ??= Reader;
  const built = buildRover();
  const options = { binary: true, animations: clipsOf(built) };
  return new Uint8Array(await new GLTFExporter().parseAsync(built.rover, options));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(new URL("Rover.glb", import.meta.url), await makeRover());
