import {
  Any,
  ChildOf,
  type Entity,
  entityAt,
  has,
  Parent,
  spawn,
  subjectsOf,
  targetOf,
  type World,
} from "../src/index.ts";

type Trimmed<Text extends string> = Text extends ` ${infer Rest}` ? Trimmed<Rest> : Text;
type NameIn<Line extends string> = Trimmed<Line> extends `${infer Name} by value` ? Name : Trimmed<Line>;
type NamesIn<Text extends string> = Text extends `${infer Line}\n${infer Rest}`
  ? NameIn<Line> | NamesIn<Rest>
  : NameIn<Text>;

/** Entities by name. */
export type Planted<Names extends string = string> = Readonly<Record<Names, Entity>>;

/**
 * Spawns drawn trees, line by line: names that are indented by two spaces below their parents. "by value" behind a name stores
 * its parent by value.
 *
 * @example
 * const { ship, cockpit } = plant(world, "ship\n  cockpit by value");
 */
export function plant<const Text extends string>(world: World, drawn: Text): Planted<NamesIn<Text>> {
  const planted: Record<string, Entity> = {};
  const branch: Entity[] = [];
  for (const line of drawn.split("\n")) {
    const depth = line.search(/\S/) / 2;
    const [name, value] = line.trim().split(" by value") as [string, string?];
    const parent = branch[depth - 1];
    const storage = value === undefined ? ChildOf : Parent;
    branch[depth] = parent === undefined ? spawn(world) : spawn(world, storage(parent));
    planted[name] = branch[depth];
  }
  return planted as Planted<NamesIn<Text>>;
}

/** The trees of a world in the format of `plant`, roots by index; entities without a name in `planted` are "?". */
export function drawing(world: World, planted: Planted): string {
  const names = new Map(Object.entries(planted).map(([name, entity]) => [entity, name]));
  const lines: string[] = [];
  const draw = (entity: Entity, depth: number): void => {
    const storage = has(world, entity, Parent(Any)) ? " by value" : "";
    lines.push(`${"  ".repeat(depth)}${names.get(entity) ?? "?"}${storage}`);
    for (const child of subjectsOf(world, entity, ChildOf)) draw(child, depth + 1);
  };
  for (let index = 1; index < world.entities.length; index++) {
    const entity = entityAt(world, index);
    if (entity !== undefined && targetOf(world, entity, ChildOf) === undefined) draw(entity, 0);
  }
  return lines.join("\n");
}
