// The 50 parts of a ship (`shipPlan`).
import type { Point3D } from "treeline/transform/3d";
import type { KindName } from "./definitions.ts";

/** A part, where it is in the space of the one above it, and what is below it. */
export interface PartPlan {
  readonly name: string;
  readonly kind: KindName;
  readonly at: Point3D;
  /** Radians a second around the axis that points up. */
  readonly turning?: number;
  readonly parts?: readonly PartPlan[];
}

/** A ship of 50 parts. It flies along -z, and +y is up. */
export const shipPlan: PartPlan = {
  name: "Hull",
  kind: "Hull",
  at: [0, 0, 0],
  parts: [
    ...[-4, -2, 0, 2, 4].map((z, at) => section(`Section ${at + 1}`, z)),
    wing("Left wing", -1),
    wing("Right wing", 1),
    ...[-3, -1, 1].flatMap((z, at) => [
      turret(`Upper turret ${at + 1}`, [0, 0.9, z], 1),
      turret(`Lower turret ${at + 1}`, [0, -0.9, z], -1),
    ]),
    {
      name: "Bridge",
      kind: "Bridge",
      at: [0, 1.1, 3],
      parts: [-0.45, -0.15, 0.15, 0.45].map((x, at) => ({
        name: `Window ${at + 1}`,
        kind: "Window",
        at: [x, 0.1, -0.55],
      })),
    },
    { name: "Left fin", kind: "Fin", at: [-0.7, 1, 5] },
    { name: "Right fin", kind: "Fin", at: [0.7, 1, 5] },
    ...[-0.4, 0, 0.4].map(
      (x, at): PartPlan => ({ name: `Antenna ${at + 1}`, kind: "Antenna", at: [x, 0, -6.2] }),
    ),
  ],
};

function section(name: string, z: number): PartPlan {
  return { name, kind: "Section", at: [0, 0, z] };
}

function wing(name: string, side: number): PartPlan {
  return {
    name,
    kind: "Wing",
    at: [side * 2.6, 0, 2],
    parts: [
      ...[-1, 0, 1].map((x, at): PartPlan => ({ name: `Flap ${at + 1}`, kind: "Flap", at: [x, 0, 1.4] })),
      {
        name: "Engine",
        kind: "Engine",
        at: [side * 1.7, 0, 0.6],
        parts: [{ name: "Nozzle", kind: "Nozzle", at: [0, 0, 1.4] }],
      },
      { name: "Inner missile", kind: "Missile", at: [side * -0.5, -0.3, -0.6] },
      { name: "Outer missile", kind: "Missile", at: [side * 0.5, -0.3, -0.6] },
    ],
  };
}

function turret(name: string, at: Point3D, up: number): PartPlan {
  return {
    name,
    kind: "Turret",
    at,
    turning: up * 0.8,
    parts: [-0.15, 0.15].map((x, index) => ({
      name: index === 0 ? "Left barrel" : "Right barrel",
      kind: "Barrel",
      at: [x, up * 0.2, -0.7],
    })),
  };
}

/** How many parts a plan has, itself included. */
export function partsOf(plan: PartPlan): number {
  return (plan.parts ?? []).reduce((sum, part) => sum + partsOf(part), 1);
}
