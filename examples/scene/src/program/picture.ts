// How a picture of nodes is drawn (`pictureOf`): its `COLOURS`, its size, and how far it is turned.
import { descendants, type Entity, get, parentOf, roots, type World } from "treeline";
import { World3D } from "treeline/transform/3d";

const WIDTH = 720;
const MARGIN = 12;
/** How far the scene is turned about its vertical axis, so that depth can be seen, in radians. */
const TURN = -0.6;
/** One colour a level, over again; they can be seen on white and on black. */
const COLOURS = ["#8250df", "#0969da", "#1a7f37", "#bf8700", "#d1570a", "#cf222e"] as const;

/** A node as it is seen: x to the right, y down. */
interface Dot {
  readonly x: number;
  readonly y: number;
  readonly level: number;
  readonly above: Dot | undefined;
}

/** The nodes of a scene as an SVG: a dot for each, and a line to its parent. World matrices must be current. */
export function pictureOf(world: World, title: string): string {
  const dots = dotsOf(world);
  const xs = dots.map(({ x }) => x);
  const ys = dots.map(({ y }) => y);
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  const scale = (WIDTH - 2 * MARGIN) / Math.max(Math.max(...xs) - left, 1e-6);
  const height = Math.max(...ys) - top;
  const at = ({ x, y }: Dot): [string, string] => [
    (MARGIN + (x - left) * scale).toFixed(1),
    (MARGIN + (y - top) * scale).toFixed(1),
  ];

  const lines = dots.flatMap((dot) => {
    if (dot.above === undefined) return [];
    const [x1, y1] = at(dot.above);
    const [x2, y2] = at(dot);
    return [`<path d="M${x1} ${y1}L${x2} ${y2}" stroke="${colourOf(dot)}"/>`];
  });
  const circles = dots.map((dot) => {
    const [x, y] = at(dot);
    return `<circle cx="${x}" cy="${y}" r="5" fill="${colourOf(dot)}"/>`;
  });
  const size = `${WIDTH} ${Math.ceil(height * scale + 2 * MARGIN)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" fill="none" stroke-width="3">`,
    `<title>${title.replace(/[&<]/g, "")}</title>`,
    ...lines,
    ...circles,
    "</svg>\n",
  ].join("\n");
}

function colourOf({ level }: Dot): string {
  return COLOURS[level % COLOURS.length]!;
}

/** Parents before children. */
function dotsOf(world: World): Dot[] {
  const dots = new Map<Entity, Dot>();
  for (const root of roots(world)) {
    for (const entity of [root, ...descendants(world, root)]) {
      const matrix = get(world, entity, World3D)?.matrix;
      if (matrix === undefined) continue;
      const parent = parentOf(world, entity);
      const above = parent === undefined ? undefined : dots.get(parent);
      const x = Math.cos(TURN) * matrix[12]! + Math.sin(TURN) * matrix[14]!;
      dots.set(entity, { x, y: -matrix[13]!, level: above === undefined ? 0 : above.level + 1, above });
    }
  }
  return [...dots.values()];
}
