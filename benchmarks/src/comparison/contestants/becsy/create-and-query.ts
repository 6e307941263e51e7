/** Becsy's part of the workloads that create and query. */
import type { Entity } from "@lastolivegames/becsy/lib/perf.js";
import { parentsOf, renewals, sumOfParents } from "../../workloads/inputs.ts";
import type { Subject } from "../../workloads/subject.ts";
import {
  CYCLES,
  ENTITIES,
  type Given,
  INSTANCES,
  PARTS,
  RENEW_PARENTS,
  STEPS,
} from "../../workloads/workloads.ts";
import { aliveOf, createStage, deleteTree, fill, type Job, prepared, type Stage } from "./stage.ts";

/** All cycles in one frame, after which the second system updates its queries. Ids are free again two frames later. */
export async function churn({ queries }: Given<"churn">): Promise<Subject> {
  const stage = await createStage({ entities: CYCLES * 8, queries });
  const { Position, Parent, Child } = stage;
  let last: Entity[] = [];
  const job: Job = (system) => {
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const parent = system.createEntity(Parent);
      const child = system.createEntity(Position, { x: cycle, y: 0 }, Child, { parent });
      if (cycle === CYCLES - 1) last = [parent.hold(), child.hold()];
      deleteTree(parent, Parent);
    }
  };
  return {
    run: async () => {
      await stage.frame(job);
    },
    checksum: () => 1 + aliveOf(last),
  };
}

/**
 * Systems declare their queries permanently. Stopping the system empties its query, which frees it as far as possible; restarting
 * it builds the query again.
 */
export async function buildQuery({ parents }: Given<"query">): Promise<Subject> {
  const stage = await createStage({ entities: ENTITIES + parents, counts: true });
  await fill(stage, parentsOf(parents, "block"), parents);
  let matches = 0;
  return {
    run: () => {
      matches = stage.count();
    },
    checksum: () => matches,
  };
}

export function renew({ queries }: Given<"renew">): Subject {
  const above = parentsOf(RENEW_PARENTS, "block", RENEW_PARENTS * 2);
  const steps = renewals();
  const { before, scene } = prepared(async () => {
    const stage = await createStage({ entities: RENEW_PARENTS * 3 + STEPS, queries });
    return { stage, ...(await fill(stage, above, RENEW_PARENTS)) };
  });
  let children: readonly Entity[] = [];
  let parents: Entity[] = [];
  let stage: Stage;
  const job: Job = (system) => {
    const { Parent, Child } = stage;
    for (let step = 0; step < STEPS; step++) {
      const parent = system.createEntity(Parent).hold();
      children[steps[step]!]!.write(Child).parent = parent;
      parents.push(parent);
    }
  };
  return {
    before,
    run: async () => {
      ({ stage, children, parents } = await scene());
      await stage.frame(job);
    },
    checksum: () => {
      const numbers = new Map(parents.map(({ ordinal }, at) => [ordinal, at]));
      return sumOfParents(RENEW_PARENTS * 2, (at) => {
        return numbers.get(children[at]!.read(stage.Child).parent!.ordinal)!;
      });
    },
  };
}

export function instances({ parts }: Given<"instances">): Subject {
  const count = INSTANCES * (PARTS + 1);
  const { before, scene } = prepared(async () => {
    const stage = await createStage({ entities: count + PARTS + 1 });
    const { Position, Velocity, Parent, Child, partTags } = stage;
    const template: Entity[] = [];
    await stage.frame((system) => {
      for (let part = 0; part <= PARTS; part++) {
        const position = { x: part === 0 ? 1 : part - 1, y: 2 };
        const entity = system.createEntity(Position, position, Velocity, { x: 3, y: 4 });
        if (part === 0) entity.add(Parent);
        else entity.add(Child, { parent: template[0] });
        if (part > 0 && parts === "distinct") entity.add(partTags[part - 1]!);
        template.push(entity.hold());
      }
    });
    return { stage, template };
  });
  let stage: Stage;
  let template: readonly Entity[] = [];
  let copies: Entity[] = [];
  const job: Job = (system) => {
    const { Position, Velocity, Parent, Child, partTags } = stage;
    for (let instance = 0; instance < INSTANCES; instance++) {
      let root: Entity | undefined;
      for (let part = 0; part <= PARTS; part++) {
        const from = template[part]!.read(Position);
        const position = { x: from.x, y: from.y };
        const { x, y } = template[part]!.read(Velocity);
        const copy = system.createEntity(Position, position, Velocity, { x, y }).hold();
        if (root === undefined) copy.add(Parent);
        else copy.add(Child, { parent: root });
        if (part > 0 && parts === "distinct") copy.add(partTags[part - 1]!);
        root ??= copy;
        copies.push(copy);
      }
    }
  };
  return {
    before,
    run: async () => {
      ({ stage, template } = await scene());
      copies = [];
      await stage.frame(job);
    },
    checksum: () => copies.length + copies.reduce((sum, copy) => sum + copy.read(stage.Position).x, 0),
  };
}
