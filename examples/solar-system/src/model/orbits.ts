// Where a body is on its ellipse: `orbitOf`, `moveAlongOrbits`, Kepler's equation (`eccentricAnomaly`).
import { array, component, eachRun, f64, query, type World } from "treeline";
import { Local3D } from "treeline/transform/3d-f64";

export const AU = 149_597_870_700; // metres
export const DAY = 86_400; // seconds
const DEGREE = Math.PI / 180;

/** An ellipse, and where on it the body is, at noon of 1 January 2000 (J2000), in the plane of the parent. Angles in degrees. */
export interface Elements {
  /** Half of the longer axis, in metres. */
  readonly axis: number;
  readonly eccentricity: number;
  readonly inclination: number;
  readonly ascendingNode: number;
  readonly longitudeOfPerihelion: number;
  readonly meanLongitude: number;
  /** In days. Negative for moons that go backwards. */
  readonly period: number;
}

/** How a body goes round its parent: what `moveAlongOrbits` needs of the elements. */
export const Orbit = component("Orbit", {
  eccentricity: f64,
  /** The mean anomaly at J2000, and what it grows by in a second, in radians. */
  anomaly: f64,
  motion: f64,
  /** From the centre of the ellipse to its nearest point, and a quarter further on. */
  towards: array(f64, 3),
  across: array(f64, 3),
});

/** The values of `Orbit`. */
export function orbitOf(elements: Elements): ReturnType<typeof Orbit> {
  const { axis, eccentricity, period } = elements;
  const node = elements.ascendingNode * DEGREE;
  const argument = elements.longitudeOfPerihelion * DEGREE - node;
  const tilt = elements.inclination * DEGREE;
  const [cn, sn, ca, sa] = [Math.cos(node), Math.sin(node), Math.cos(argument), Math.sin(argument)];
  const [ct, st] = [Math.cos(tilt), Math.sin(tilt)];
  const minor = axis * Math.sqrt(1 - eccentricity ** 2);
  return Orbit({
    eccentricity,
    anomaly: (elements.meanLongitude - elements.longitudeOfPerihelion) * DEGREE,
    motion: (2 * Math.PI) / (period * DAY),
    towards: [cn * ca - sn * sa * ct, sn * ca + cn * sa * ct, sa * st].map((part) => part * axis),
    across: [-cn * sa - sn * ca * ct, cn * ca * ct - sn * sa, ca * st].map((part) => part * minor),
  });
}

/** Puts every body that has an orbit where it is at a time, relative to its parent. */
export function moveAlongOrbits(world: World, secondsSinceJ2000: number): void {
  eachRun(
    query(world, Orbit, Local3D),
    (run) => {
      const { eccentricity, anomaly, motion, towards, across } = run.columns(Orbit);
      const { position } = run.columns(Local3D);
      for (let row = run.first; row < run.end; row++) {
        const e = eccentricity[row]!;
        const angle = eccentricAnomaly(anomaly[row]! + motion[row]! * secondsSinceJ2000, e);
        const along = Math.cos(angle) - e;
        const aside = Math.sin(angle);
        for (let at = row * 3; at < row * 3 + 3; at++)
          position[at] = towards[at]! * along + across[at]! * aside;
      }
    },
    { writes: [Local3D] },
  );
}

/** Solves Kepler's equation, `mean = angle - e * sin(angle)`, by Newton's method. */
export function eccentricAnomaly(mean: number, e: number): number {
  const turns = Math.round(mean / (2 * Math.PI));
  const rest = mean - turns * 2 * Math.PI;
  let angle = rest + e * Math.sin(rest);
  for (let step = 0; step < 20; step++) {
    const change = (angle - e * Math.sin(angle) - rest) / (1 - e * Math.cos(angle));
    angle -= change;
    if (Math.abs(change) < 1e-15) break;
  }
  return angle;
}
