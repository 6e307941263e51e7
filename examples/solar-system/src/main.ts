// The page: what a frame does (`draw`), what keys, clicks and drops do, and what the address asks for.
import { eachFrame, Outliner } from "@treeline/page-parts";
import { type Entity, lookup, pathOf, TreelineError } from "treeline";
import { distance, propagate } from "treeline/transform/3d-f64";
import { buildSolarSystem } from "./model/bodies.ts";
import { advance, changeSpeed, clockAt, speedText, timeText } from "./model/clock.ts";
import { moveBelow, placeOf } from "./model/move-below.ts";
import { moveAlongOrbits } from "./model/orbits.ts";
import { distanceText, placeText } from "./model/text.ts";
import { type Eye, focusOn, turn, zoom } from "./view/eye.ts";
import { onKeys, onPointer } from "./view/input.ts";
import { createStage } from "./view/stage.ts";

/** What the address says: `?at=2030-01-01&focus=Sun::Saturn&paused`. */
const asked = new URLSearchParams(location.search);
const element = (id: string): HTMLElement => document.getElementById(id)!;

const { world, sun } = buildSolarSystem(Number(asked.get("seed") ?? 1));
const clock = clockAt(new Date(asked.get("at") ?? Date.now()));
clock.isPaused = asked.has("paused");
const eye: Eye = { focus: sun, distance: 0, yaw: 0, pitch: 0.7 };
const stage = createStage(world, sun, document.querySelector("canvas")!, element("labels"));
const outliner = new Outliner(element("outliner"), { select, drop });
let frames = 0;
let selected: Entity = lookup(world, asked.get("focus") ?? "Sun") ?? sun;

function select(entity: Entity): void {
  selected = entity;
  outliner.reveal(entity);
  element("message").textContent = "";
}

function drop(dragged: Entity, target: Entity): void {
  try {
    const moved = moveBelow(world, dragged, target);
    select(dragged);
    element("message").textContent =
      `is below ${pathOf(world, target)} now, and has moved by ${distanceText(moved)}`;
  } catch (error) {
    if (!(error instanceof TreelineError)) throw error;
    element("message").textContent = error.message;
  }
}

function showTexts(): void {
  element("time").textContent = timeText(clock);
  element("speed").textContent = speedText(clock);
  element("path").textContent = pathOf(world, selected);
  element("details").textContent =
    `${distanceText(distance(world, sun, selected))} from the Sun, at ${placeText(placeOf(world, selected))}`;
}

onKeys({
  " ": () => {
    clock.isPaused = !clock.isPaused;
  },
  "+": () => changeSpeed(clock, 1),
  "=": () => changeSpeed(clock, 1), // the key of + without shift
  "-": () => changeSpeed(clock, -1),
  f: () => focusOn(eye, world, selected),
});
onPointer(stage.canvas, {
  click: (x, y) => {
    const hit = stage.pick(x, y);
    if (hit !== undefined) select(hit);
  },
  drag: (x, y) => turn(eye, -x * 0.005, y * 0.005),
  wheel: (by) => zoom(eye, by),
});

for (const type of ["keydown", "pointermove", "pointerup", "wheel", "drop", "click", "resize"])
  addEventListener(type, needFrame);

let last = performance.now();

function frame(now: number): void {
  advance(clock, Math.min(now - last, 100));
  last = now;
  if (!clock.isPaused || "stale" in document.body.dataset) draw();
}

/** While time is paused, a frame is drawn only if something else has changed. The tests of the page wait until it is drawn. */
function needFrame(): void {
  document.body.dataset.stale = "";
}

function draw(): void {
  moveAlongOrbits(world, clock.seconds);
  propagate(world);
  stage.draw(eye, selected);
  outliner.update();
  showTexts();
  document.body.dataset.frames = String(++frames);
  delete document.body.dataset.stale;
}

needFrame();
outliner.show(world);
select(selected);
if (asked.has("focus")) focusOn(eye, world, selected);
else eye.distance = 1.4e12;
eachFrame(frame);
