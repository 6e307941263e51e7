/** piecs: changes by handle, copies of a template. Its queries cannot be freed, so `query` is left out. */
import { attach } from "../../workloads/child-list.ts";
import { parentsOf, turnsOf } from "../../workloads/inputs.ts";
import type { Subject } from "../../workloads/subject.ts";
import { ENTITIES, type Given, INSTANCES, PARTS } from "../../workloads/workloads.ts";
import { createStage, fieldsOf, goLive, placesOf, type Stage, settle } from "./stage.ts";

/** Back and forth between two archetypes. A tag has no value, Mass has one, Aim has two. */
function changing(stage: Stage, handles: Int32Array, operation: "tag" | "component" | "pair"): () => void {
  const { world, position, velocity, moving } = stage;
  const mass = new Float32Array(ENTITIES);
  const { id, x, y } = fieldsOf(world, ENTITIES);
  const changed = world.prefabricate([position, velocity, { id }]);
  if (operation === "pair") {
    return () => {
      for (let at = 0; at < ENTITIES; at++) {
        const entity = handles[at]!;
        world.transformEntity(entity, changed);
        x[entity] = 2;
        y[entity] = 3;
      }
      for (let at = 0; at < ENTITIES; at++) world.transformEntity(handles[at]!, moving);
    };
  }
  if (operation === "tag") {
    return () => {
      for (let at = 0; at < ENTITIES; at++) world.transformEntity(handles[at]!, changed);
      for (let at = 0; at < ENTITIES; at++) world.transformEntity(handles[at]!, moving);
    };
  }
  return () => {
    for (let at = 0; at < ENTITIES; at++) {
      const entity = handles[at]!;
      world.transformEntity(entity, changed);
      mass[entity] = 2;
    }
    for (let at = 0; at < ENTITIES; at++) world.transformEntity(handles[at]!, moving);
  };
}

export function change({ operation, order }: Given<"change">): Subject {
  const settled = settle(ENTITIES, 0, parentsOf(1, "block"));
  const { stage } = settled;
  const handles = turnsOf(order).map((number) => settled.handles[number]!);
  const { x: px, y: py } = stage.position;
  let total = 0;
  let runs = 0;
  const get = (): void => {
    let sum = 0;
    for (let at = 0; at < ENTITIES; at++) sum += px[handles[at]!]!;
    total += sum;
  };
  const set = (): void => {
    runs++;
    for (let at = 0; at < ENTITIES; at++) {
      const entity = handles[at]!;
      px[entity] = at % 1024;
      py[entity] = runs;
    }
  };
  const put = (): void => {
    runs++;
    for (let at = 0; at < ENTITIES; at++) px[handles[at]!] = (at + runs) % 1024;
  };
  const isChange = operation === "tag" || operation === "component" || operation === "pair";
  return {
    run: isChange ? changing(stage, handles, operation) : { get, set, put }[operation],
    checksum: () => placesOf(stage.position, settled.handles) + total,
  };
}

export function instances({ parts }: Given<"instances">): Subject {
  let stage: Stage;
  let template: ReturnType<typeof templateOn>;
  return {
    before: () => {
      stage = createStage((INSTANCES + 1) * (PARTS + 1));
      template = templateOn(stage, parts === "distinct");
    },
    run: () => {
      const { world, position, velocity, list } = stage;
      const { x: px, y: py } = position;
      const { x: vx, y: vy } = velocity;
      const { sources, archetypes } = template;
      for (let instance = 0; instance < INSTANCES; instance++) {
        let root = -1;
        for (let part = 0; part <= PARTS; part++) {
          const entity = world.createEntity(archetypes[part]!);
          const source = sources[part]!;
          px[entity] = px[source]!;
          py[entity] = py[source]!;
          vx[entity] = vx[source]!;
          vy[entity] = vy[source]!;
          if (part === 0) root = entity;
          else attach(list, entity, root);
        }
      }
    },
    checksum: () => {
      const query = goLive(stage.world, [stage.position]);
      stage.world.initialize();
      const { x: px } = stage.position;
      let sum = -template.sources.length - template.sources.reduce((all, source) => all + px[source]!, 0);
      for (const { entities } of query.archetypes) {
        sum += entities.length;
        for (let at = 0; at < entities.length; at++) sum += px[entities[at]!]!;
      }
      return sum;
    },
  };
}

/** The template's entities, root first, and the archetypes of its copies. */
function templateOn({ world, position, velocity, moving, list }: Stage, isDistinct: boolean) {
  const tags = Array.from({ length: PARTS }, () => world.createComponentId());
  const archetypes = [
    moving,
    ...tags.map((id) => (isDistinct ? world.prefabricate([position, velocity, { id }]) : moving)),
  ];
  const sources = archetypes.map((archetype) => world.createEntity(archetype));
  sources.forEach((entity, part) => {
    position.x[entity] = part === 0 ? 1 : part - 1;
    position.y[entity] = 2;
    velocity.x[entity] = 3;
    velocity.y[entity] = 4;
    if (part > 0) attach(list, entity, sources[0]!);
  });
  return { sources, archetypes };
}
