// The page (`FleetPage`): when it is drawn, what clicks, `KEYS` and buttons do, what it writes.
import { createRenderer, eachFrame } from "@treeline/page-parts";
import { Raycaster, Vector2 } from "three";
import { count, type Entity, entities, get, has, isAlive, pathOf, query, type World } from "treeline";
import { entityOf, updateScene } from "treeline/three";
import { worldOf } from "treeline/transform/3d";
import { explode, hit, shipOf } from "../model/battle.ts";
import { Debris, Docked, Health, Ship } from "../model/definitions.ts";
import type { Battle } from "../model/step.ts";
import { Eye } from "./eye.ts";
import { fleetScene } from "./fleet-scene.ts";

const STEP = 0.1;
const SHOT = 40;
const KEYS: Readonly<Record<string, string>> = {
  " ": "pause",
  ".": "step",
  n: "next",
  d: "dock",
  h: "hit",
  x: "explode",
};

/** The page: it draws the world, and turns clicks and keys into commands. */
export class FleetPage {
  private readonly world: World;
  private readonly battle: Battle;
  private readonly canvas = document.querySelector("canvas")!;
  private readonly renderer = createRenderer(this.canvas, { antialias: true });
  private readonly scene;
  private readonly eye = new Eye(this.canvas);
  private readonly ships;
  private readonly docked;
  private readonly debris;
  /** What was clicked; it may be gone by now. */
  private selected: Entity | undefined;
  private isPaused = false;
  /** Whether the picture may differ from the last one: while time stands still, most frames need none. */
  private isStale = true;
  private time = 0;

  constructor(world: World, battle: Battle) {
    this.world = world;
    this.battle = battle;
    this.scene = fleetScene(world);
    this.ships = query(world, Ship);
    this.docked = query(world, Docked);
    this.debris = query(world, Debris);
  }

  start(isPaused: boolean): void {
    this.isPaused = isPaused;
    this.canvas.addEventListener("click", ({ offsetX, offsetY }) =>
      this.select(this.partAt(offsetX, offsetY)),
    );
    document.addEventListener("click", ({ target }) => {
      const command = target instanceof Element && target.closest<HTMLElement>("[data-command]");
      if (command) this.run(command.dataset.command!);
    });
    document.addEventListener("keydown", (event) => {
      const command = KEYS[event.key.toLowerCase()];
      if (command === undefined) return;
      event.preventDefault(); // the space bar would press the button that was clicked last
      this.run(command);
    });
    for (const event of ["click", "keydown", "pointermove", "wheel", "resize"])
      window.addEventListener(event, () => {
        this.isStale = true;
      });
    eachFrame(this.frame);
  }

  private readonly frame = (time: number): void => {
    const seconds = Math.min(0.05, (time - this.time) / 1000);
    this.time = time;
    if (!this.isPaused) this.battle.step(seconds);
    if (!this.isPaused || this.isStale) this.draw();
    document.body.dataset.ready = "yes";
  };

  private draw(): void {
    this.isStale = false;
    const { clientWidth, clientHeight } = this.canvas;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.eye.camera.aspect = clientWidth / clientHeight;
    this.eye.camera.updateProjectionMatrix();
    this.eye.update();
    updateScene(this.world);
    this.renderer.render(this.scene, this.eye.camera);
    this.write();
  }

  private write(): void {
    const counts = [
      `${count(this.ships)} ships`,
      `${count(this.docked)} docked`,
      `${count(this.debris)} pieces of debris`,
    ];
    text("counts", counts.join(", ") + (this.isPaused ? ", paused" : ""));
    if (this.selected !== undefined) text("path", this.describe(this.selected));
  }

  private describe(part: Entity): string {
    if (!isAlive(this.world, part)) return "gone";
    const path = has(this.world, part, Debris) ? "debris" : pathOf(this.world, part);
    const points = get(this.world, part, Health)?.points;
    return points === undefined ? path : `${path} (${points} points)`;
  }

  private run(command: string): void {
    if (command === "pause") this.isPaused = !this.isPaused;
    else if (command === "step") this.battle.step(STEP);
    else if (command === "next") this.next();
    else if (this.selected === undefined || !isAlive(this.world, this.selected))
      text("message", "Select a part first: click it, or press N.");
    else this.change(command, this.selected);
  }

  private change(command: string, part: Entity): void {
    const ship = shipOf(this.world, part);
    if (command === "hit") hit(this.world, part, SHOT);
    else if (ship === undefined) text("message", "This is no ship any more.");
    else if (command === "dock") this.battle.toggleDock(ship);
    else explode(this.world, ship);
  }

  /** Selects the next ship, and looks at it. */
  private next(): void {
    const all = [...entities(this.ships)];
    const before =
      this.selected !== undefined && isAlive(this.world, this.selected) ? this.selected : undefined;
    const ship = all[(before === undefined ? -1 : all.indexOf(shipOf(this.world, before)!)) + 1] ?? all[0];
    if (ship === undefined) return;
    this.select(ship);
    this.eye.lookAt(worldOf(this.world, ship), 24);
  }

  private select(part: Entity | undefined): void {
    this.selected = part;
    text("message", "");
    if (part === undefined) text("path", "nothing there");
  }

  private partAt(x: number, y: number): Entity | undefined {
    const { clientWidth, clientHeight } = this.canvas;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((x / clientWidth) * 2 - 1, 1 - (y / clientHeight) * 2), this.eye.camera);
    const [nearest] = ray.intersectObject(this.scene);
    return nearest && entityOf(this.world, nearest.object, nearest.instanceId);
  }
}

function text(id: string, value: string): void {
  document.getElementById(id)!.textContent = value;
}
