// Whole programs of the examples in doc comments, for the playground: imports, and a set-up of what an example names and does not make.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateSync } from "node:zlib";
import { root } from "../lib.mjs";
import { entryPoints } from "./exports.mjs";
import { declarationOf, exportsOf, nodesBelow } from "./modules.mjs";

const require = createRequire(`${root}/packages/compiler/package.json`);
const { parseSync } = require("oxc-parser");

/** What examples name: each line makes one name, of those before it. Of several lines for one name, the first counts whose imports there are. */
const SETUP = `
const Position = component("Position", { x: f32, y: f32 });
const Velocity = component("Velocity", { x: f32, y: f32 });
const Health = component("Health", { points: f32(100) });
const Weight = component("Weight", { kilos: f32 });
const Damage = component("Damage", { amount: f32 });
const Team = component("Team", { rank: u8 });
const Score = component("Score", { points: f32 });
const Goods = component("Goods", { price: f32 });
const Item = tag("Item");
const Ship = tag("Ship");
const Sprite = tag("Sprite");
const Model = tag("Model");
const Hidden = tag("Hidden");
const Bullet = tag("Bullet");
const Light = component("Light", { strength: f32 });
const Mesh = component("Mesh");
const Local = component("Local", { x: f32 });
const World = component("World", { x: f32 });
const Door = component("Door", { open: bool });
const Matrix = component("Matrix", { cells: array(f32, 16) });
const Gun = tag("Gun");
const Frozen = tag("Frozen");
const Enemy = tag("Enemy");
const Selected = tag("Selected");
const Player = component("Player", { points: u16 });
const Targets = relation("Targets");
const DockedTo = relation("DockedTo", { exclusive: true });
const SoldIn = relation("SoldIn", { exclusive: true });
const In = relation("In", { traversable: true });
const world = createWorld();
const ship = spawn(world, Name("Ship"), Local2D, World2D, Bounds2D({ min: [-1, -1], max: [1, 1] }), WorldBounds2D);
const ship = spawn(world, Name("Ship"), Local3D, World3D, Bounds3D({ min: [-1, -1, -1], max: [1, 1, 1] }), WorldBounds3D);
const ship = spawn(world, Name("Ship"), Position({ x: 1, y: 2 }), Velocity({ x: 1 }));
const otherShip = spawn(world, Name("Other ship"), Position);
const other = spawn(world, Name("Other"));
const station = spawn(world, Name("Station"), Position);
const cockpit = spawn(world, Name("Cockpit"), ChildOf(ship));
const seat = spawn(world, Name("Seat"), ChildOf(cockpit));
const cargo = spawn(world, Name("Cargo"), ChildOf(ship));
const hold = spawn(world, Name("Hold"), ChildOf(ship));
const tank = prefab(world, Name("Tank"), Health);
const turret = instantiate(world, tank, { with: [Name("Turret")] });
const turret = spawn(world, Name("Turret"), Local2D({ position: [0, 8] }), World2D, ChildOf(ship));
const turret = spawn(world, Name("Turret"), Local3D({ position: [0, 2, 0] }), World3D, ChildOf(ship));
const turret = spawn(world, Name("Turret"), ChildOf(ship));
const gun = spawn(world, Name("Gun"), ChildOf(turret));
const barrel = spawn(world, Name("Barrel"), ChildOf(gun));
const crate = spawn(world, Name("Crate"), Weight({ kilos: 20 }), ChildOf(hold));
const crates = [crate, ...spawnMany(world, 2, Weight({ kilos: 10 }), ChildOf(hold))];
const mast = spawn(world, Name("Mast"), ChildOf(ship));
const sail = spawn(world, Name("Sail"), ChildOf(mast));
const lamp = spawn(world, Name("Lamp"), ChildOf(station));
const chair = spawn(world, Name("Chair"), ChildOf(station));
const chest = spawn(world, Name("Chest"));
const quest = spawn(world, Name("Quest"));
const room = spawn(world, Name("Room"));
const folder = spawn(world, Name("Folder"));
const hero = spawn(world, Name("Hero"));
const bag = spawn(world, Name("Bag"), ChildOf(hero));
const seats = [seat];
const holds = [hold];
const decks = Array.from({ length: 1000 }, () => ship);
const bullets = spawnMany(world, 3, Bullet);
const selection = [ship, cargo];
const ships = [ship, otherShip];
const skeleton = spawn(world, Name("Skeleton"));
const wreck = spawn(world, Name("Wreck"));
const army = spawn(world, Name("Army"));
const market = spawn(world, Name("Market"));
const fleet = spawn(world, Name("Fleet"));
const enemy = spawn(world, Local2D({ position: [8, 8] }));
const enemy = spawn(world, Enemy, Position);
const camera = spawn(world, Local3D({ position: [0, 2, 10] }));
const debris = spawn(world, Local2D, ChildOf(ship));
const debris = spawn(world, Local3D, ChildOf(ship));
const earth = spawn(world, Name("Earth"), Local3D);
const turretOfPrefab = spawn(world, Prefab, Name("Turret"), Health);
const tank = spawn(world, Name("Tank"), Local2D);
const tank = spawn(world, Name("Tank"), Local3D);
const parent = variable("parent");
const childrenOf = query(world, Position, ChildOf(parent));
const moving = query(world, Position, Velocity);
const sold = query(world, Goods, groupBy(SoldIn));
const thinking = query(world, Enemy);
const lost = query(world, Weight, not(ChildOf(Any)));
const placing = query(world, Local, World, cascade(World));
const x = field(Position, "x");
const weight = field(Weight, "kilos");
const ownWeight = (one) => weight.get(world, one) ?? 0;
const weightOfChildren = (one) => children(world, one).reduce((sum, child) => sum + ownWeight(child), 0);
const buffer = createCommands(world);
const commands = createCommands(world);
const hurtAll = () => destroy(world, cargo);
const moveAll = () => set(world, ship, Position, { x: 5 });
const spawnCargo = () => spawn(world, Name("Cargo"));
const update = () => {};
const step = () => moveAll();
const userInput = "Turret";
const names = ["Ship", "Turret"];
const frame = 0;
const source = 'import { each } from "treeline";';
const log = [];
const draw = console.log;
const fire = console.log;
const paint = console.log;
const send = console.log;
const think = console.log;
const showLine = console.log;
const showPrice = console.log;
const openDock = console.log;
const closeDock = console.log;
const outline = { move: console.log, render: console.log };
const list = { show: console.log };
const panel = { title: "", close: console.log, show: console.log };
const grid = { insert: console.log, remove: console.log };
const before = snapshot(world);`;

/** Examples that go on from where others are: their \`tank\` is an instance. */
const NOT_ALONE = new Set(["overridesOf", "slotOf"]);

/** Names of the language and of all hosts. */
const GLOBAL = new Set(
  "undefined console Math Number String Array Map Set Object JSON Date performance NaN Infinity Float32Array".split(
    " ",
  ),
);
const isTypeNode = ({ type }) =>
  type.startsWith("TS") && type !== "TSNonNullExpression" && type !== "TSAsExpression";

/** Does a file export it, and not as a type only? */
const isValue = (path, name) =>
  exportsOf(path).includes(name) &&
  !/TSInterface|TSTypeAlias/.test(declarationOf(path, name)?.declarations[0].node.type ?? "TSInterface");

/** The names that a program uses and does not bind; undefined if it is no program. */
function freeNames(text) {
  const { program, errors } = parseSync("example.ts", text);
  if (errors.length > 0 || program.body.some(({ type }) => type.startsWith("Import"))) return undefined;
  const used = new Set();
  const bound = new Set(GLOBAL);
  const skipped = new Set();
  const bind = (pattern) => {
    if (!pattern) return;
    if (pattern.type === "Identifier") bound.add(pattern.name);
    for (const inner of [pattern.argument, pattern.left, ...(pattern.elements ?? [])]) bind(inner);
    for (const property of pattern.properties ?? []) bind(property.value ?? property.argument);
  };
  for (const node of nodesBelow(program, isTypeNode)) {
    if (isTypeNode(node)) continue;
    if (node.type === "MemberExpression" && !node.computed) skipped.add(node.property);
    if (node.type === "Property" && !node.computed && node.key !== node.value) skipped.add(node.key);
    if (node.type === "VariableDeclarator") bind(node.id);
    if (/Function/.test(node.type)) for (const one of [node.id, ...node.params]) bind(one);
    if (node.type === "Identifier" && !skipped.has(node)) used.add(node.name);
  }
  return [...used].filter((name) => !bound.has(name));
}

/** The lines of the set-up, each with the name that it makes and the names that it uses. */
const setup = SETUP.trim()
  .split("\n")
  .map((line) => ({ name: /^const (\w+)/.exec(line)[1], line, uses: freeNames(line) }));

/** @returns the whole program of an example of an export, or undefined if it names something that is not known. */
export function programOf(example, { name: owner, entries: [home] }) {
  if (NOT_ALONE.has(owner)) return undefined;
  const free = freeNames(example);
  if (free === undefined) return undefined;
  const main = entryPoints()[0];
  const imports = new Map();
  const lines = new Set();
  const entryOf = (name) => [home, main].find(({ path }) => isValue(path, name));
  const lineOf = (name) => setup.find((one) => one.name === name && one.uses.every(isKnown));
  const isKnown = (name) => entryOf(name) !== undefined || lineOf(name) !== undefined;
  const add = (name) => {
    const entry = entryOf(name);
    if (entry !== undefined) imports.set(entry, (imports.get(entry) ?? new Set()).add(name));
    else {
      const { line, uses } = lineOf(name);
      lines.add(line);
      for (const used of uses) add(used);
    }
  };
  if (!free.every(isKnown)) return undefined;
  for (const name of free) add(name);
  const order = setup.map(({ line }) => line).filter((line) => lines.has(line));
  const heads = [...imports].map(
    ([{ specifier }, names]) => `import { ${[...names].toSorted().join(", ")} } from "${specifier}";`,
  );
  return `${[...heads, "", ...order, "", example.trim()].join("\n").replace(/\n{3,}/g, "\n\n")}\n`;
}

/** The examples of an export, each with its whole program if there is one. */
export const examplesOf = (one) =>
  one.comment.tags
    .filter(({ tag }) => tag === "example")
    .map(({ text }) => ({ text, program: programOf(text, one) }));

/** Runs all of these programs, on the last build. @returns what fails. */
export async function problemsOfExamples(all) {
  const { transformSync } = require("esbuild");
  const folder = mkdtempSync(join(root, "examples/readme/node_modules/.reference-")); // where `treeline` is found
  const problems = [];
  const { log } = console;
  console.log = () => {};
  try {
    for (const [place, one] of all.entries()) {
      for (const [number, { program }] of examplesOf(one).entries()) {
        if (program === undefined) continue;
        const path = join(folder, `${place}-${number}.mjs`);
        writeFileSync(path, transformSync(program, { loader: "ts" }).code);
        await import(pathToFileURL(path).href).catch((error) => {
          problems.push(`the example of ${one.name} of ${one.source} does not run: ${error}`);
        });
      }
    }
  } finally {
    console.log = log;
    rmSync(folder, { recursive: true });
  }
  return problems;
}

/** Where the playground has a program: see `tooling/site/.vitepress/theme/playground/share-link.ts`. */
export const playgroundLink = (program) =>
  `/playground#code=z.${deflateSync(program, { level: 9 }).toString("base64url")}`;
