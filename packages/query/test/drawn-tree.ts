import { ChildOf, type Entity, type Relation, spawn, type World } from "@treeline/core";
import { children, roots } from "../src/index.ts";

type Trimmed<Text extends string> = Text extends ` ${infer Rest}` ? Trimmed<Rest> : Text;
type NamesIn<Text extends string> = Text extends `${infer Line}\n${infer Rest}`
  ? Trimmed<Line> | NamesIn<Rest>
  : Trimmed<Text>;

/** Entities by name. */
export type Planted<Names extends string = string> = Readonly<Record<Names, Entity>>;

/**
 * Plants drawn trees: names that are indented by two spaces below their parents, siblings in order. Spawns level by level, so that the
 * order of entities is not that of a walk.
 *
 * @example
 * const { ship, cockpit } = plant(world, "ship\n  cockpit");
 */
export function plant<const Text extends string>(
  world: World,
  drawn: Text,
  storage: Relation = ChildOf,
): Planted<NamesIn<Text>> {
  const lines = drawn.split("\n").map((line) => ({ name: line.trim(), depth: line.search(/\S/) / 2 }));
  const planted: Record<string, Entity> = {};
  const deepest = Math.max(...lines.map(({ depth }) => depth));
  for (let level = 0; level <= deepest; level++)
    lines.forEach(({ name, depth }, at) => {
      if (depth !== level) return;
      const parent = lines.slice(0, at).findLast((one) => one.depth < depth);
      planted[name] = parent === undefined ? spawn(world) : spawn(world, storage(planted[parent.name]!));
    });
  return planted as Planted<NamesIn<Text>>;
}

/** The trees of a world in the format of `plant`; entities that were not planted are "?". */
export function drawing(world: World, planted: Planted): string {
  const names = new Map(Object.entries(planted).map(([name, entity]) => [entity, name]));
  const lines: string[] = [];
  const draw = (entity: Entity, depth: number): void => {
    lines.push(`${"  ".repeat(depth)}${names.get(entity) ?? "?"}`);
    for (const child of children(world, entity)) draw(child, depth + 1);
  };
  for (const root of roots(world)) draw(root, 0);
  return lines.join("\n");
}
