// The scene, its camera, lights and sizes (`createStage`, `NEAR`, `FAR`), and the order of work in a frame.
import { createRenderer } from "@treeline/page-parts";
import { AmbientLight, PerspectiveCamera, PointLight, Scene, Vector2 } from "three";
import type { Entity, World } from "treeline";
import { attachScene, updateScene } from "treeline/three";
import * as transforms from "treeline/transform/3d-f64";
import { Asteroid, Major, Minor } from "../model/bodies.ts";
import { dots } from "./dots.ts";
import { aim, type Eye } from "./eye.ts";
import { labelsIn } from "./labels.ts";
import { drawPaths } from "./paths.ts";
import { pick } from "./pick.ts";
import { solids } from "./solids.ts";

/** What is drawn of a world, and how it is found again. */
export interface Stage {
  readonly canvas: HTMLCanvasElement;
  /** Draws the world as it is now. */
  readonly draw: (eye: Eye, selected: Entity) => void;
  /** The entity at a place of the canvas, in pixels. */
  readonly pick: (x: number, y: number) => Entity | undefined;
}

/**
 * From a metre to a thousand astronomical units. All places have 64 bits, also in the matrices of three.js; only what is relative to the
 * camera is given to the graphics card in 32 bits. So nothing trembles, wherever the camera is.
 */
const [NEAR, FAR] = [1, 1.5e14];

export function createStage(
  world: World,
  sun: Entity,
  canvas: HTMLCanvasElement,
  labels: HTMLElement,
): Stage {
  const renderer = createRenderer(canvas, { antialias: true, logarithmicDepthBuffer: true });
  renderer.setPixelRatio(devicePixelRatio);
  const camera = new PerspectiveCamera(45, 1, NEAR, FAR);
  camera.up.set(0, 0, 1);
  const scene = new Scene();
  const allDots = [dots(Asteroid, 1.5, camera), dots(Minor, 3, camera), dots(Major, 6, camera)];
  attachScene(world, scene, [...solids(world, sun), ...allDots], { transforms });
  const paths = drawPaths(world, camera);
  scene.add(paths.object, new AmbientLight(0xffffff, 0.4), new PointLight(0xffffff, 3, 0, 0)); // the Sun is at the origin
  const showLabels = labelsIn(labels, world, camera);

  const size = new Vector2();
  const fit = (): void => {
    const { clientWidth, clientHeight } = canvas;
    renderer.getSize(size);
    if (size.x === clientWidth && size.y === clientHeight) return;
    renderer.setSize(clientWidth, clientHeight, false);
    camera.aspect = clientWidth / clientHeight;
    camera.updateProjectionMatrix();
  };
  return {
    canvas,
    draw: (eye, selected) => {
      fit();
      aim(camera, eye, world);
      updateScene(world);
      paths.update();
      renderer.render(scene, camera);
      showLabels(selected);
    },
    pick: (x, y) => pick(world, scene, camera, canvas, x, y),
  };
}
