/** Becsy's worlds and components, for `becsy.ts`. */
import { type Entity, System, Type, World } from "@lastolivegames/becsy/lib/perf.js";
import { sumOfPlaces } from "../../workloads/inputs.ts";
import { PARTS } from "../../workloads/workloads.ts";

const pair = { x: Type.float32, y: Type.float32 };

/** A component belongs to one world. */
function createTypes() {
  class Position {
    static readonly schema = pair;
    declare x: number;
    declare y: number;
  }
  class Velocity {
    static readonly schema = pair;
    declare x: number;
    declare y: number;
  }
  class Local {
    static readonly schema = pair;
    declare x: number;
    declare y: number;
  }
  class Global {
    static readonly schema = pair;
    declare x: number;
    declare y: number;
  }
  class Mass {
    static readonly schema = { value: Type.float32 };
    declare value: number;
  }
  class Depth {
    static readonly schema = { value: Type.uint32 };
    declare value: number;
  }
  class Aim {
    static readonly schema = pair;
    declare x: number;
    declare y: number;
  }
  class Tag {}
  class Child {
    static readonly schema = { parent: Type.ref };
    declare parent: Entity | undefined;
  }
  class Parent {
    static readonly schema = { children: Type.backrefs() };
    declare children: Entity[];
  }
  const partTags = Array.from({ length: PARTS }, (_, part) => {
    const tag = class {};
    Object.defineProperty(tag, "name", { value: `Part${part}` });
    return tag;
  });
  return { Position, Velocity, Local, Global, Mass, Aim, Depth, Tag, Child, Parent, partTags };
}

export type Types = ReturnType<typeof createTypes>;

/** The arguments of the work in a system: the matches of its query, if it has one. */
export type Job = (system: System, found: readonly Entity[]) => void;

/** A world with one system that may do everything. */
export interface Stage extends Types {
  /** One frame, in which the system does this. */
  readonly frame: (job: Job) => Promise<void>;
  /** Starts the system with the query for Position and Velocity, counts its matches, and stops it. */
  readonly count: () => number;
}

type QueryBuilder = Parameters<Parameters<System["query"]>[0]>[0];

interface Wish {
  /** The maximum at any time, including those that were destroyed in the last two frames. */
  readonly entities: number;
  /** For the system that does the work. */
  readonly query?: (types: Types, query: QueryBuilder) => void;
  /** The number of queries for Position, in a second system. */
  readonly queries?: number;
  /** How many entities change in one frame; by default all. */
  readonly perFrame?: number;
  /** Whether there is a third system, with a query for Position and Velocity, which runs only when `count` is called. */
  readonly counts?: boolean;
}

const idle: Job = () => {};

export async function createStage(wish: Wish): Promise<Stage> {
  const { entities, perFrame = entities, query, queries = 0, counts = false } = wish;
  const types = createTypes();
  const { Position, Velocity, partTags, ...others } = types;
  let job = idle;

  class Work extends System {
    readonly found = this.query((all) => {
      if (query !== undefined) query(types, all);
      all.usingAll.write;
    });
    override execute(): void {
      job(this, query === undefined ? [] : this.found.current);
    }
  }

  class Watch extends System {
    readonly live = Array.from({ length: queries }, () => this.query((all) => all.current.with(Position)));
    readonly order = this.schedule((when) => when.after(Work));
  }

  let counter: Count | undefined;
  class Count extends System {
    readonly moving = this.query((all) => all.current.with(Position, Velocity));
    readonly order = this.schedule((when) => when.after(Work));
    override initialize(): void {
      counter = this;
    }
  }

  const world = await World.create({
    maxEntities: entities,
    maxLimboComponents: perFrame * 8,
    maxShapeChangesPerFrame: perFrame * 12,
    maxRefChangesPerFrame: perFrame * 12,
    defaultComponentStorage: "sparse",
    defs: [
      Position,
      Velocity,
      ...Object.values(others),
      ...partTags,
      Work,
      ...(queries > 0 ? [Watch] : []),
      ...(counts ? [Count] : []),
    ],
  });
  const frame = async (next: Job): Promise<void> => {
    job = next;
    await world.execute();
  };
  const count = (): number => {
    world.control({ stop: [], restart: [Count] });
    const matches = counter!.moving.current.length;
    world.control({ stop: [Count], restart: [] });
    return matches;
  };
  if (counts) world.control({ stop: [Count], restart: [] });
  return { ...types, frame, count };
}

/** One entity, as usual: the caller must hold it. */
export function createMover({ Position, Velocity }: Stage, system: System, at: number): Entity {
  return system.createEntity(Position, { x: at % 1024, y: 0 }, Velocity, { x: 1, y: 1 + (at % 3) });
}

export function createParents({ Parent }: Stage, system: System, count: number): Entity[] {
  return Array.from({ length: count }, () => system.createEntity(Parent).hold());
}

/** The entities on a stage. */
export interface Crowd {
  readonly parents: Entity[];
  readonly children: readonly Entity[];
}

/** Children, as usual, of parents; queries are up to date. */
export async function fill(stage: Stage, above: Int32Array, parents: number): Promise<Crowd> {
  const crowd: { parents: Entity[]; children: Entity[] } = { parents: [], children: [] };
  await stage.frame((system) => {
    crowd.parents = createParents(stage, system, parents);
    above.forEach((parent, at) => {
      const child = createMover(stage, system, at);
      child.add(stage.Child, { parent: crowd.parents[parent]! });
      crowd.children.push(child.hold());
    });
  });
  await stage.frame(idle);
  return crowd;
}

/** `count` roots, as usual. */
export async function fillWithRoots(stage: Stage, count: number): Promise<Entity[]> {
  const roots: Entity[] = [];
  await stage.frame((system) => {
    for (let at = 0; at < count; at++) roots.push(createMover(stage, system, at).hold());
  });
  await stage.frame(idle);
  return roots;
}

/** Parents are created before their children. */
export async function fillWithTree(
  stage: Stage,
  parents: Int32Array,
  depths?: Int32Array,
): Promise<Entity[]> {
  const { Local, Global, Parent, Child, Depth } = stage;
  const nodes: Entity[] = [];
  await stage.frame((system) => {
    parents.forEach((parent, at) => {
      const node = system.createEntity(Local, { x: 1 + (at % 3), y: 1 }, Global, Parent);
      node.add(Child, { parent: nodes[parent] });
      if (depths !== undefined) node.add(Depth, { value: depths[at]! });
      nodes.push(node.hold());
    });
  });
  await stage.frame(idle);
  return nodes;
}

export function placesOf({ Position }: Stage, entities: readonly Entity[]): number {
  return sumOfPlaces(
    entities.length,
    (at) => entities[at]!.read(Position).x,
    (at) => entities[at]!.read(Position).y,
  );
}

export function aliveOf(entities: readonly Entity[]): number {
  return entities.reduce((sum, { alive }) => sum + Number(alive), 0);
}

/** Children before parents: destroying the parent alone would only clear their references. */
export function deleteTree(root: Entity, Parent: Stage["Parent"]): void {
  const deleted = [root];
  for (let at = 0; at < deleted.length; at++) {
    const node = deleted[at]!;
    if (node.has(Parent)) for (const child of node.read(Parent).children) deleted.push(child);
  }
  for (let at = deleted.length - 1; at >= 0; at--) deleted[at]!.delete();
}

/** A fresh scene for each run: worlds are created in promises, and the run awaits its own if it is not ready. */
export interface Prepared<Scene> {
  readonly before: () => Promise<void>;
  readonly scene: () => Scene | Promise<Scene>;
}

export function prepared<Scene>(make: () => Promise<Scene>): Prepared<Scene> {
  let made: Scene | undefined;
  let making: Promise<void> = Promise.resolve();
  return {
    before: () => {
      made = undefined;
      making = make().then((scene) => {
        made = scene;
      });
      return making;
    },
    scene: () => made ?? making.then(() => made!),
  };
}
