import type { World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { expect } from "vitest";
import { drawing } from "./plant.ts";

/** The code of the refusal; the drawing of the world must not change. */
export function refusalOf(world: World, change: () => unknown): string {
  const before = drawing(world);
  let code = "nothing was refused";
  try {
    change();
  } catch (error) {
    code = (error as { code?: string }).code ?? String(error);
  }
  expect(drawing(world)).toBe(before);
  expect(verify(world)).toEqual([]);
  return code;
}
