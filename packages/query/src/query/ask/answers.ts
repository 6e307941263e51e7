import type { World } from "@treeline/core";
import type { Reading } from "../../term/plan.ts";
import { createSpansFor } from "../lists/spans.ts";
import { gather } from "../rows/gather.ts";
import { Scene } from "../state/scene.ts";
import { Seen } from "../state/sight.ts";
import { createQuery } from "./query.ts";

/** The indexes of all who answer now, in the order of visits, each once. A fresh list. */
export function answersTo(world: World, reading: Reading): number[] {
  const { plan } = reading;
  const query = createQuery(world, reading);
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
