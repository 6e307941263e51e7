import * as THREE from "three";
import { ChildOf, children, component, count, createWorld, destroy, each, query, spawn } from "treeline";
import { attachScene, entityOf, updateScene } from "treeline/three";
import { Local3D } from "treeline/transform/3d";

const Orbit = component("Orbit", { angle: 0 });
const world = createWorld();
const orbits = query(world, Orbit, Local3D);
const sun = spawn(world, Local3D);

/** Adds a body that circles its parent, moves with it, and is measured in its size. */
function addMoon(parent = sun) {
  const orbit = Orbit({ angle: 2 * count(orbits) });
  return spawn(world, orbit, Local3D({ scale: [0.4, 0.4, 0.4] }), ChildOf(parent));
}
addMoon(addMoon());

const renderer = new THREE.WebGLRenderer({ alpha: true, antialias: true });
document.body.append(renderer.domElement);
const camera = new THREE.PerspectiveCamera(50);
camera.position.set(0, 6, 8);
camera.lookAt(0, 0, 0);
const scene = new THREE.Scene().add(new THREE.HemisphereLight("white", "navy", 3));
const ball = new THREE.SphereGeometry();
const paint = new THREE.MeshLambertMaterial({ color: "orange" });
attachScene(world, scene, [{ with: Local3D, make: () => new THREE.Mesh(ball, paint) }]);

addEventListener("click", ({ clientX: x, clientY: y }) => {
  const ray = new THREE.Raycaster();
  ray.setFromCamera(new THREE.Vector2((x / innerWidth) * 2 - 1, 1 - (y / innerHeight) * 2), camera);
  const body = entityOf(world, ray.intersectObject(scene)[0]?.object ?? scene);
  if (body !== undefined) addMoon(body);
});
addEventListener("keydown", ({ key }) => {
  const [moon] = children(world, sun);
  if (key === "Backspace" && moon !== undefined) destroy(world, moon); // and all below it
});
renderer.setAnimationLoop((time) => {
  each(orbits, ({ angle }, { position }) => {
    position[0] = 3 * Math.cos(angle + time / 1000);
    position[2] = 3 * Math.sin(angle + time / 1000);
  });
  updateScene(world);
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
  renderer.render(scene, camera);
  document.querySelector("output")!.textContent = `Moons: ${count(orbits)}`;
});
