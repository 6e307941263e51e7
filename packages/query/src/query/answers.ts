import type { World } from "@treeline/core";
import { matchingShapes } from "../match/match-shape.ts";
import type { Plan } from "../term/plan.ts";
import { gather } from "./gather.ts";
import { createQuery } from "./query.ts";
import { Scene } from "./scene.ts";
import { Seen } from "./sight.ts";
import { createSpansFor } from "./spans.ts";

/** The indexes of all who answer a plan now, in the order of visits, each once. A fresh list. */
export function answersTo(world: World, plan: Plan): number[] {
  const query = createQuery(world, plan, plan.namesEntity ? [] : matchingShapes(world.graph, plan));
  const seen = new Seen(query);
  const spans = createSpansFor(query);
  gather(query, seen, spans);
  const scene = new Scene(query);
  scene.begin(query, seen);
  const found: number[] = [];
  for (let at = 0; at < spans.length; at += spans.stride) {
    scene.turnTo(spans, at);
    for (let place = scene.from; place < scene.to; place++) {
      found.push(scene.shape.lanes.i32[scene.rowAt(place)]!);
    }
  }
  return plan.variables.length === 0 ? found : [...new Set(found)];
}
