// Which bodies are made up (`BELTS`), and on which orbits (`elementsIn`).
import { AU, type Elements } from "./orbits.ts";

/** Bodies that are made up, but where such bodies are. */
export interface Belt {
  readonly name: string;
  readonly count: number;
  readonly color: number;
  /** Half of the longer axes, in astronomical units. */
  readonly from: number;
  readonly to: number;
  readonly mostEccentric: number;
  /** In degrees. */
  readonly mostInclined: number;
  /** At these angles from Jupiter, in degrees: Trojans have its period. */
  readonly besideJupiter?: readonly number[];
}

export const BELTS: readonly Belt[] = [
  {
    name: "Main belt",
    count: 2_000,
    color: 0x9c9285,
    from: 2.1,
    to: 3.3,
    mostEccentric: 0.25,
    mostInclined: 18,
  },
  {
    name: "Trojans",
    count: 300,
    color: 0x8a7f9c,
    from: 5.15,
    to: 5.25,
    mostEccentric: 0.1,
    mostInclined: 20,
    besideJupiter: [-60, 60],
  },
  {
    name: "Kuiper belt",
    count: 668,
    color: 0x7f93a8,
    from: 39,
    to: 48,
    mostEccentric: 0.15,
    mostInclined: 20,
  },
];

/** Years to the power of 2 are astronomical units to the power of 3. */
const YEAR = 365.256_9; // days, of a body without mass at one astronomical unit
const JUPITER = { longitude: 34.396, axis: 5.202887 };

/** An orbit in a belt, by chance. */
export function elementsIn(belt: Belt, random: () => number): Elements {
  const between = (from: number, to: number): number => from + (to - from) * random();
  const axis = between(belt.from, belt.to);
  const eccentricity = between(0, belt.mostEccentric);
  const inclination = between(0, belt.mostInclined) * random(); // more of them near the plane
  const [ascendingNode, longitudeOfPerihelion] = [between(0, 360), between(0, 360)];
  const group = belt.besideJupiter?.[Math.floor(random() * belt.besideJupiter.length)];
  const meanLongitude =
    group === undefined ? between(0, 360) : JUPITER.longitude + group + between(-14, 14) + between(-14, 14);
  return {
    axis: axis * AU,
    eccentricity,
    inclination,
    ascendingNode,
    longitudeOfPerihelion,
    meanLongitude,
    period: YEAR * (group === undefined ? axis : JUPITER.axis) ** 1.5,
  };
}
