// A scene of three.js that follows the world: spawn, move and destroy entities, and the objects do the same.
import * as THREE from "three";
import { ChildOf, createWorld, each, Name, query, spawn, tag } from "treeline";
import { attachScene, updateScene } from "treeline/three";
import { Local3D } from "treeline/transform/3d";

const Planet = tag("Planet");
const Turning = tag("Turning");

const world = createWorld();
const scene = new THREE.Scene();
const ball = new THREE.IcosahedronGeometry(1, 3);
const colors = ["gold", "skyblue", "lightgray"];
let made = 0;
attachScene(world, scene, [
  {
    with: Planet,
    make: () =>
      new THREE.Mesh(ball, new THREE.MeshStandardMaterial({ color: colors[made++ % colors.length]! })),
  },
]);

// Whatever is below an entity turns with it.
const sun = spawn(world, Name("Sun"), Planet, Turning, Local3D);
const earth = spawn(
  world,
  Name("Earth"),
  Planet,
  Turning,
  ChildOf(sun),
  Local3D({ position: [3, 0, 0], scale: [0.4, 0.4, 0.4] }),
);
spawn(
  world,
  Name("Moon"),
  Planet,
  ChildOf(earth),
  Local3D({ position: [2.2, 0, 0], scale: [0.4, 0.4, 0.4] }),
);

scene.add(new THREE.HemisphereLight("white", "darkslategray", 3));
const camera = new THREE.PerspectiveCamera(50, 480 / 360);
camera.position.set(0, 4, 6);
camera.lookAt(0, 0, 0);
const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
renderer.setSize(480, 360);
document.body.append(renderer.domElement);

const turning = query(world, Turning, Local3D);
let angle = 0;
renderer.setAnimationLoop(() => {
  angle += 0.01;
  each(turning, (local) => {
    local.rotation[1] = Math.sin(angle / 2);
    local.rotation[3] = Math.cos(angle / 2);
  });
  updateScene(world);
  renderer.render(scene, camera);
});
