// The page: what happens to files (`take`), to what is selected, dropped and deleted, and when it is drawn (`draw`).
import { eachFrame, Outliner } from "@treeline/page-parts";
import type { Scene } from "three";
import { destroy, type Entity, isAlive, parentOf, pathOf, roots, TreelineError } from "treeline";
import { stats } from "treeline/debug";
import { reparentInPlace } from "treeline/transform/3d";
import { type Opened, open } from "./model/opened.ts";
import { Player } from "./model/player.ts";
import { AnimationBar } from "./view/animation-bar.ts";
import { onFiles } from "./view/drops.ts";
import { at, write } from "./view/elements.ts";
import { Finder } from "./view/finder.ts";
import { Inspector } from "./view/inspector.ts";
import { readFiles } from "./view/read-files.ts";
import { Stage } from "./view/stage.ts";

const canvas = document.querySelector("canvas")!;
const stage = new Stage(canvas, needFrame);
const outliner = new Outliner(at("outliner"), { select, drop, remove });
const inspector = new Inspector(at("selection"), { changed: needFrame, remove });
const animations = new AnimationBar(at("animations"), needFrame);
const finder = new Finder({
  found: (entities) => {
    found = entities;
    outliner.mark(new Set(entities));
    needFrame();
  },
  select,
});
let opened: Opened | undefined;
let player: Player | undefined;
let selected: Entity | undefined;
let found: readonly Entity[] = [];
let stopReading = (): void => {};

function take(files: readonly File[]): void {
  stopReading();
  at("problem").hidden = true;
  at("reading").hidden = false;
  const name = files.find((file) => /\.gl(?:b|tf)$/i.test(file.name))?.name ?? "";
  const reading = readFiles(files, {
    progress: (done) => {
      document.querySelector("progress")!.value = done;
    },
    done: async (loaded) => {
      const next = open(loaded, name);
      await nextFrame();
      const scene = stage.makeScene(next);
      await nextFrame();
      if (reading === stopReading) show(next, scene);
    },
    failed: say,
  });
  stopReading = reading;
}

/** Says what is wrong. What was shown before stays. */
function say(problem: string): void {
  at("reading").hidden = true;
  at("problem").hidden = false;
  at("problem").textContent = problem;
}

/** Lets the page draw, and answer, between two steps that take long for large files. */
const nextFrame = (): Promise<unknown> => new Promise(requestAnimationFrame);

function show(next: Opened, scene: Scene): void {
  const { world, title, root, clips } = next;
  at("reading").hidden = true;
  stage.show(next, scene);
  opened = next;
  player = new Player(world, clips);
  outliner.show(world);
  animations.show(player);
  finder.show(world);
  write(at("title"), title);
  select(root);
}

function select(entity: Entity): void {
  selected = entity;
  outliner.reveal(entity);
  inspector.show(opened!.world, entity);
  needFrame();
}

function drop(dragged: Entity, target: Entity): void {
  try {
    reparentInPlace(opened!.world, dragged, target);
    select(dragged);
  } catch (error) {
    if (!(error instanceof TreelineError)) throw error;
    say(error.message);
  }
}

function remove(entity: Entity): void {
  const { world, root } = opened!;
  if (entity === root) {
    say(`${pathOf(world, root)} is the scene: open another file instead.`);
    return;
  }
  const above = parentOf(world, entity) ?? roots(world)[0]!;
  destroy(world, entity);
  found = found.filter((one) => isAlive(world, one));
  select(above);
}

onFiles(take);
let pressed = { x: 0, y: 0 };
canvas.addEventListener("pointerdown", ({ offsetX: x, offsetY: y }) => {
  pressed = { x, y };
});
canvas.addEventListener("click", ({ offsetX, offsetY }) => {
  if (Math.hypot(offsetX - pressed.x, offsetY - pressed.y) > 4) return; // it was a drag
  const hit = stage.pick(offsetX, offsetY);
  if (hit !== undefined) select(hit);
});
canvas.addEventListener("keydown", ({ key }) => {
  if (key.toLowerCase() === "f" && selected !== undefined) stage.focus(selected);
});

let last = 0;
let frames = 0;
eachFrame((time) => {
  player?.advance(Math.min(time - last, 100) / 1000);
  last = time;
  if (player?.isPlaying || "stale" in document.body.dataset) draw();
});

/** A frame is drawn only if something has changed. The tests of the page wait until it is drawn. */
function needFrame(): void {
  document.body.dataset.stale = "";
}

function draw(): void {
  if (opened === undefined) return;
  delete document.body.dataset.stale;
  const calls = stage.draw(selected === opened.root ? undefined : selected, found);
  outliner.update();
  inspector.update();
  animations.update();
  const { entities, tables } = stats(opened.world);
  const counts = [`${entities.toLocaleString("en")} entities`, `${tables.toLocaleString("en")} tables`];
  write(at("counts"), `${counts.join(", ")}, ${calls.toLocaleString("en")} draw calls`);
  document.body.dataset.frames = String(++frames);
}

fetch(new URL("../sample/Rover.glb", import.meta.url)).then(
  async (answer) => take([new File([await answer.blob()], "Rover.glb")]),
  () => say("The sample could not be loaded. Open a file of yours."),
);
