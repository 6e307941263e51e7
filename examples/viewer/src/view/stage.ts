// The 3D view (`Stage`): scene, lights, camera, `KEYS`, what is clicked (`pick`).
import { createRenderer, scrollsAbove } from "@treeline/page-parts";
import {
  Box3,
  Color,
  DirectionalLight,
  HemisphereLight,
  type Material,
  type Mesh,
  NeutralToneMapping,
  type Object3D,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Sphere,
  Vector2,
  Vector3,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Entity, World } from "treeline";
import { attachScene, detachScene, entityOf, objectOf, updateScene } from "treeline/three";
import { worldOf } from "treeline/transform/3d";
import type { Opened } from "../model/opened.ts";
import { Boxes } from "./boxes.ts";

/** In radians, and as a factor of the distance: what one press of a key does. */
const [TURN, ZOOM] = [Math.PI / 24, 0.85];
const KEYS: Readonly<Record<string, (controls: OrbitControls) => void>> = {
  ArrowLeft: (controls) => controls.rotateLeft(TURN),
  ArrowRight: (controls) => controls.rotateLeft(-TURN),
  ArrowUp: (controls) => controls.rotateUp(TURN),
  ArrowDown: (controls) => controls.rotateUp(-TURN),
  "+": (controls) => controls.dollyIn(ZOOM),
  "=": (controls) => controls.dollyIn(ZOOM), // the key of + without shift
  "-": (controls) => controls.dollyOut(ZOOM),
};

/** The 3D view of a world. It is drawn when `draw` is called, and `changed` is called when it should be. */
export class Stage {
  private readonly canvas: HTMLCanvasElement;
  private readonly renderer;
  private readonly camera = new PerspectiveCamera(45, 1, 0.1, 1000);
  private readonly controls;
  private readonly selectedBox = new Boxes(0xff8a1f);
  private readonly foundBoxes = new Boxes(0x2f8cff);
  private readonly isDark = matchMedia("(prefers-color-scheme: dark)");
  private readonly size = new Vector2();
  private scene = new Scene();
  private world: World | undefined;
  /** Half of the size of the scene. */
  private radius = 1;

  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    this.canvas = canvas;
    this.renderer = createRenderer(canvas, { antialias: true });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", changed);
    canvas.addEventListener("wheel", () => this.setZoom(), { capture: true, passive: true });
    canvas.addEventListener("keydown", (event) => this.press(event));
    this.isDark.addEventListener("change", changed);
    new ResizeObserver(changed).observe(canvas);
  }

  /** Makes the scene of a file: its objects, where they are. It is not shown yet. */
  makeScene({ world }: Opened): Scene {
    const scene = new Scene();
    attachScene(world, scene);
    updateScene(world);
    return scene;
  }

  /** Shows another file instead of the former one. */
  show({ world }: Opened, scene: Scene): void {
    if (this.world !== undefined) detachScene(this.world);
    dispose(this.scene);
    this.scene = scene;
    this.world = world;
    const sphere = new Box3().setFromObject(scene).getBoundingSphere(new Sphere());
    scene.add(...lights(), this.selectedBox.lines, this.foundBoxes.lines);
    this.radius = sphere.radius > 0 ? sphere.radius : 1;
    this.camera.near = this.radius / 500;
    this.camera.far = this.radius * 50;
    this.lookFrom(new Vector3(0.75, 0.5, 1), sphere.isEmpty() ? new Vector3() : sphere.center, this.radius);
  }

  /** @returns the draw calls of the picture. */
  draw(selected: Entity | undefined, found: readonly Entity[]): number {
    const { world, canvas, renderer, camera } = this;
    if (world === undefined) return 0;
    const { clientWidth, clientHeight } = canvas;
    renderer.getSize(this.size);
    if (this.size.x !== clientWidth || this.size.y !== clientHeight) {
      renderer.setSize(clientWidth, clientHeight, false);
      camera.aspect = clientWidth / clientHeight;
      camera.updateProjectionMatrix();
    }
    this.scene.background = new Color(this.isDark.matches ? 0x14171d : 0xf3f5f8);
    updateScene(world);
    this.selectedBox.show(selected === undefined ? [] : [this.boxOf(world, selected)]);
    const others = found.filter((entity) => entity !== selected);
    this.foundBoxes.show(others.map((entity) => this.boxOf(world, entity)));
    renderer.render(this.scene, camera);
    return renderer.info.render.calls;
  }

  /** The entity at a place of the canvas, in pixels. */
  pick(x: number, y: number): Entity | undefined {
    const { clientWidth, clientHeight } = this.canvas;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((x / clientWidth) * 2 - 1, 1 - (y / clientHeight) * 2), this.camera);
    const [nearest] = ray.intersectObject(this.scene);
    return nearest && entityOf(this.world!, nearest.object);
  }

  /** Looks at an entity from nearby. */
  focus(entity: Entity): void {
    const { center, radius } = this.boxOf(this.world!, entity).getBoundingSphere(new Sphere());
    this.lookFrom(this.camera.position.clone().sub(this.controls.target), center, radius);
  }

  private lookFrom(direction: Vector3, center: Vector3, radius: number): void {
    const { camera, controls } = this;
    const narrow = Math.min(1, this.canvas.clientWidth / this.canvas.clientHeight || 1);
    const distance = (radius * 0.95) / Math.sin((camera.fov * Math.PI) / 360) / narrow;
    controls.target.copy(center);
    camera.position.copy(direction.normalize().multiplyScalar(distance).add(center));
    camera.updateProjectionMatrix();
    controls.update();
  }

  /** Around an entity and all below it. What shows nothing, such as a bone, has a small one where it is. */
  private boxOf(world: World, entity: Entity): Box3 {
    const object = objectOf(world, entity);
    const box = object === undefined ? new Box3() : new Box3().setFromObject(object);
    if (!box.isEmpty()) return box;
    const place = new Vector3().fromArray(worldOf(world, entity), 12);
    return box.setFromCenterAndSize(place, new Vector3().setScalar(this.radius * 0.04));
  }

  private setZoom(): void {
    this.controls.enableZoom = !scrollsAbove();
  }

  private press(event: KeyboardEvent): void {
    const use = KEYS[event.key];
    if (use === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault(); // arrows would scroll
    use(this.controls);
  }
}

/** An environment to be mirrored would look better on metal, and takes a graphics card of its own to prepare. */
function lights(): Object3D[] {
  const sun = new DirectionalLight(0xffffff, 2.4);
  sun.position.set(1, 2, 1.5);
  const back = new DirectionalLight(0xdfe8ff, 1);
  back.position.set(-2, 1, -1);
  return [sun, back, new HemisphereLight(0xffffff, 0x7d8594, 2.2)];
}

/** Gives back what the graphics card has of a scene. */
function dispose(scene: Object3D): void {
  scene.traverse((object) => {
    const { geometry, material } = object as Partial<Mesh>;
    geometry?.dispose();
    for (const one of [material ?? []].flat() as Material[]) {
      for (const value of Object.values(one)) if (value?.isTexture === true) value.dispose();
      one.dispose();
    }
  });
}
