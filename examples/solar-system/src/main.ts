import { createWorld, spawn, tag } from "@treeline/core";
import { attachScene, updateScene } from "@treeline/three";
import * as transforms from "@treeline/transform/3d-f64";
import { Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, SphereGeometry, WebGLRenderer } from "three";

const Star = tag("Star");
const world = createWorld();
const scene = new Scene();
const material = new MeshBasicMaterial({ color: "gold" });
attachScene(world, scene, [{ with: Star, make: () => new Mesh(new SphereGeometry(1), material) }], {
  transforms,
});
spawn(world, transforms.Local3D, transforms.World3D, Star);

const canvas = document.querySelector("canvas")!;
const renderer = new WebGLRenderer({ canvas, antialias: true, logarithmicDepthBuffer: true });
renderer.setSize(300, 200);
const camera = new PerspectiveCamera(50, 1.5, 0.1, 1e13);
camera.position.z = 4;
updateScene(world);
renderer.render(scene, camera);
document.body.dataset.ready = "yes";
