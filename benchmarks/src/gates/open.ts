/** Opens the cell of a gate: `place` is its number, the contestant is Treeline or what the gate is measured against. */
import { ChildOf, Parent } from "@treeline/core";
import type { AnyCell, Opened } from "../comparison/processes/serve.ts";
import type { Subject } from "../comparison/workloads/subject.ts";
import { ENTITIES, GATES, type Gate, type Works } from "./gates.ts";
import { subjectOf } from "./subjects/subjects.ts";

/** Runs after which checksums are compared: the state and what was read must be the same. */
const PROOF = 2;

export type Contestant = "treeline" | "koota" | "itself";

export async function openGate({ contestant, place }: AnyCell, entities = ENTITIES): Promise<Opened> {
  const gate = GATES[place];
  if (gate === undefined) throw new Error(`there is no gate ${place}`);
  return { subject: await subjectIn(gate, contestant, entities), proof: gate.mode === "first" ? 1 : PROOF };
}

async function subjectIn(gate: Gate, contestant: string, entities: number): Promise<Subject> {
  const { work, given, storage, against } = gate;
  if (contestant === "koota") {
    const { getting } = await import("./subjects/koota.ts");
    return getting(entities, (given as Works["handle"]).order);
  }
  const told = contestant === "itself" ? (against?.given ?? given) : given;
  return subjectOf(work, told, storage === "Parent" ? Parent : ChildOf, entities);
}
