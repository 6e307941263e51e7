// The numbers of the planets and moons (`PLANETS`), which `SOURCES.md` explains.

/** Where the numbers come from: SOURCES.md. */
export interface PlanetData {
  readonly name: string;
  /** In kilometres. */
  readonly radius: number;
  readonly color: number;
  /** By how much the plane of its moons is tilted against the plane of the Earth's orbit, in degrees. */
  readonly tilt: number;
  /** In astronomical units and degrees, at J2000. */
  readonly axis: number;
  readonly eccentricity: number;
  readonly inclination: number;
  readonly meanLongitude: number;
  readonly longitudeOfPerihelion: number;
  readonly ascendingNode: number;
  /** Degrees in a century of 36,525 days. */
  readonly motion: number;
  readonly moons: readonly MoonData[];
}

/** Name, radius and half axis in kilometres, eccentricity, inclination in degrees, period in days: negative if it goes backwards. */
export type MoonData = readonly [
  name: string,
  radius: number,
  axis: number,
  eccentricity: number,
  inclination: number,
  period: number,
];

/** In kilometres. */
export const SUN_RADIUS = 695_700;

type Row = readonly [
  name: string,
  radius: number,
  color: number,
  tilt: number,
  axis: number,
  eccentricity: number,
  inclination: number,
  meanLongitude: number,
  longitudeOfPerihelion: number,
  ascendingNode: number,
  motion: number,
];

// biome-ignore format: a table
const ROWS: readonly Row[] = [
  ["Mercury", 2_439.7, 0xb1a79c, 0, 0.38709927, 0.20563593, 7.00497902, 252.2503235, 77.45779628, 48.33076593, 149472.67411175],
  ["Venus", 6_051.8, 0xe8cda2, 0, 0.72333566, 0.00677672, 3.39467605, 181.9790995, 131.60246718, 76.67984255, 58517.81538729],
  ["Earth", 6_371, 0x4f8fe0, 0, 1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0, 35999.37244981],
  ["Mars", 3_389.5, 0xd0643c, 25.2, 1.52371034, 0.0933941, 1.84969142, -4.55343205, -23.94362959, 49.55953891, 19140.30268499],
  ["Jupiter", 69_911, 0xd2a679, 3.1, 5.202887, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909, 3034.74612775],
  ["Saturn", 58_232, 0xe3cf9d, 26.7, 9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448, 1222.49362201],
  ["Uranus", 25_362, 0x9fdfe3, 97.8, 19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.9542763, 74.01692503, 428.48202785],
  ["Neptune", 24_622, 0x4169e1, 28.3, 30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574, 218.45945325],
  ["Pluto", 1_188.3, 0xcbb59a, 119.6, 39.48211675, 0.2488273, 17.14001206, 238.92903833, 224.06891629, 110.30393684, 145.20780515],
];

// biome-ignore format: a table
const MOONS: Readonly<Record<string, readonly MoonData[]>> = {
  Earth: [["Moon", 1_737.4, 384_400, 0.0549, 5.145, 27.321661]],
  Mars: [
    ["Phobos", 11.1, 9_376, 0.0151, 1.1, 0.318910],
    ["Deimos", 6.2, 23_463, 0.0003, 1.8, 1.262441],
  ],
  Jupiter: [
    ["Io", 1_821.5, 421_800, 0.0041, 0, 1.769138],
    ["Europa", 1_560.8, 671_100, 0.0094, 0.5, 3.551181],
    ["Ganymede", 2_631.2, 1_070_400, 0.0013, 0.2, 7.154553],
    ["Callisto", 2_410.3, 1_882_700, 0.0074, 0.3, 16.689017],
  ],
  Saturn: [
    ["Mimas", 198.2, 185_539, 0.0196, 1.6, 0.942422],
    ["Enceladus", 252.1, 238_042, 0.0047, 0, 1.370218],
    ["Tethys", 531, 294_672, 0.0001, 1.1, 1.887802],
    ["Dione", 561.4, 377_415, 0.0022, 0, 2.736915],
    ["Rhea", 763.5, 527_068, 0.001, 0.3, 4.518212],
    ["Titan", 2_574.7, 1_221_870, 0.0288, 0.3, 15.945421],
    ["Iapetus", 734.3, 3_560_840, 0.0293, 15.5, 79.3215],
  ],
  Uranus: [
    ["Miranda", 235.8, 129_900, 0.0013, 4.3, 1.413479],
    ["Ariel", 578.9, 190_900, 0.0012, 0, 2.520379],
    ["Umbriel", 584.7, 266_000, 0.0039, 0.1, 4.144177],
    ["Titania", 788.9, 436_300, 0.0011, 0.1, 8.705872],
    ["Oberon", 761.4, 583_500, 0.0014, 0.1, 13.463239],
  ],
  Neptune: [
    ["Triton", 1_353.4, 354_759, 0, 23.1, -5.876854],
    ["Nereid", 170, 5_513_400, 0.7512, 32.6, 360.1362],
  ],
  Pluto: [["Charon", 606, 19_591, 0.0002, 0, 6.387230]],
};

export const PLANETS: readonly PlanetData[] = ROWS.map(
  ([
    name,
    radius,
    color,
    tilt,
    axis,
    eccentricity,
    inclination,
    meanLongitude,
    perihelion,
    node,
    motion,
  ]) => ({
    name,
    radius,
    color,
    tilt,
    axis,
    eccentricity,
    inclination,
    meanLongitude,
    longitudeOfPerihelion: perihelion,
    ascendingNode: node,
    motion,
    moons: MOONS[name] ?? [],
  }),
);
