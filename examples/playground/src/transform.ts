// Transforms in 2D, drawn on a canvas: each branch turns about the end of the one below it.
import { ChildOf, createWorld, type Entity, each, query, spawn, tag } from "treeline";
import { Local2D, propagate, World2D } from "treeline/transform/2d";

const Branch = tag("Branch");
const LENGTH = 78;

const world = createWorld();
function grow(parent: Entity, levels: number): void {
  if (levels === 0) return;
  for (const angle of [-0.45, 0.45]) {
    const local = Local2D({ position: [0, -LENGTH], angle, scale: [0.76, 0.76] });
    grow(spawn(world, Branch, ChildOf(parent), local), levels - 1);
  }
}
const trunk = spawn(world, Branch, Local2D({ position: [240, 350] }));
grow(trunk, 6);

const canvas = document.createElement("canvas");
canvas.width = 480;
canvas.height = 360;
document.body.append(canvas);
const context = canvas.getContext("2d")!;

const branches = query(world, Branch, Local2D, World2D);
function frame(now: number): void {
  each(branches, (local) => {
    local.angle += 0.0009 * Math.cos(now / 900);
  });
  propagate(world); // computes World2D of all that has moved
  context.resetTransform();
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "seagreen";
  each(branches, (_local, { matrix: [a, b, c, d, e, f] }) => {
    context.setTransform(a!, b!, c!, d!, e!, f!);
    context.fillRect(-4, -LENGTH, 8, LENGTH);
  });
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
