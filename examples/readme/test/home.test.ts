// The home page shows the numbers of the last results; the colours of the site can be read.
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { at, readDocument } from "./support.ts";

/** What the benchmarks keep of a host. */
interface Results {
  readonly workloads: {
    readonly name: string;
    readonly cells: { readonly [part: string]: string | number }[];
    readonly rows: { [contestant: string]: { isolated: number | string; warmedUp?: number | string }[] };
  }[];
}

/** What the tests read of the figures. */
interface Figures {
  readonly cost: {
    readonly parents: number[];
    readonly lines: { readonly label: string; times: number[] }[];
  };
  readonly speeds: {
    readonly label: string;
    readonly own: number;
    readonly library: { readonly name: string; readonly isHandKept: boolean; readonly time: number };
  }[];
  readonly sizes: { readonly label: string; readonly program: string; readonly bytes: number }[];
}

interface Scripts {
  figuresOf(results: Results, native: unknown, budgets: unknown): Figures;
  lastFigures(): Figures;
  withFigures(text: string, base?: string, figures?: Figures): string;
}

/** Scripts are no package: they are loaded by their paths. */
const scriptAt = (name: string): string => pathToFileURL(at(`tooling/scripts/home/${name}`)).href;
const { figuresOf, lastFigures }: Scripts = await import(/* @vite-ignore */ scriptAt("figures.mjs"));
const { withFigures }: Scripts = await import(/* @vite-ignore */ scriptAt("fill.mjs"));

const page = readDocument("tooling/site/pages/index.md");
const native: unknown = JSON.parse(readDocument("benchmarks/src/comparison/native.json"));
const budgets = JSON.parse(readDocument("tooling/scripts/size-budget.json"));
/** A copy each time, so that a test may change it. */
const results = (): Results => JSON.parse(readDocument("docs/benchmarks/node-24.json"));

const workloadIn = (all: Results, name: string) => all.workloads.find((one) => one.name === name)!;

describe("the figures of the home page", () => {
  it("are those of the last results", () => {
    const all = results();
    const { cells, rows } = workloadIn(all, "iterate");
    const last = cells.findIndex(({ parents, order }) => parents === 50_000 && order === "random");
    const timeOf = (key: string) => rows[key]![last]!.warmedUp ?? rows[key]![last]!.isolated;

    const { cost, sizes } = figuresOf(all, native, budgets);

    const shown = Object.fromEntries(cost.lines.map(({ label, times }) => [label, times.at(-1)]));
    expect(shown).toMatchObject({ Treeline: timeOf("treeline-child-of"), koota: timeOf("koota") });
    expect(cost.parents).toEqual([1, 100, 1_000, 10_000, 50_000]);
    expect(sizes[0]).toMatchObject({ program: "first", bytes: budgets.first.esbuild });
  });

  it("include rows that others win", () => {
    const { speeds } = lastFigures();

    expect(speeds.filter(({ own, library }) => own > library.time).length).toBeGreaterThan(1);
    expect(speeds.filter(({ own, library }) => own < library.time).length).toBeGreaterThan(1);
  });

  it("compare with the fastest library, of those that finished", () => {
    const all = results();
    const { rows } = workloadIn(all, "destroy");
    rows.koota![0] = { isolated: 0.5 };
    rows.piecs![0] = { isolated: "over 60 s" };

    const row = figuresOf(all, native, budgets).speeds.find(({ label }) => label === "destroying that tree")!;

    expect(row.library).toEqual({ name: "koota", isHandKept: false, time: 0.5 });
  });

  it("are of the mode in which Treeline stands worse", () => {
    const all = results();
    workloadIn(all, "destroy").rows.piecs![0] = { isolated: 1, warmedUp: 1_000 };
    workloadIn(all, "destroy").rows["treeline-child-of"]![0] = { isolated: 2, warmedUp: 500 };

    const row = figuresOf(all, native, budgets).speeds.find(({ label }) => label === "destroying that tree")!;

    expect(row).toMatchObject({ own: 2, library: { time: 1 } });
  });

  it("show loops as programs write them beside those over columns", () => {
    const { speeds } = lastFigures();
    const place = speeds.findIndex(({ label }) => label.startsWith("world positions"));

    expect(speeds[place + 1]!.own).toBeGreaterThan(speeds[place]!.own);
  });

  it.each<[string, (all: Results) => void]>([
    ["workload spawn", (all) => all.workloads.splice(all.workloads.indexOf(workloadIn(all, "spawn")), 1)],
    ["cell .* of cascade", (all) => workloadIn(all, "cascade").cells.splice(0, 5)],
    ["koota with 1 parents", (all) => delete workloadIn(all, "iterate").rows.koota],
    [
      "Treeline in destroy",
      (all) => (workloadIn(all, "destroy").rows["treeline-child-of"]![0] = { isolated: "stack overflow" }),
    ],
  ])("refuse to be made without the %s", (what, remove) => {
    const all = results();
    remove(all);

    expect(() => figuresOf(all, native, budgets)).toThrow(
      new RegExp(`${what} .*is missing|${what} is missing`),
    );
  });

  it("refuse to be made without a size", () => {
    const { names: _, ...others } = budgets;

    expect(() => figuresOf(results(), native, others)).toThrow("the size of names is missing");
  });
});

describe("the home page", () => {
  const timesIn = (html: string) => [...html.matchAll(/class="own">([\d.,]+)</g)].map(([, time]) => time);

  it("shows every figure, and leaves no mark", () => {
    const figures = lastFigures();

    const html = withFigures(page);

    expect(html).not.toContain("<!-- home:");
    expect(html).not.toMatch(/undefined|NaN|Infinity/);
    expect(timesIn(html)).toHaveLength(figures.speeds.length);
    for (const { label } of figures.sizes) expect(html).toContain(label);
  });

  it("draws a line for each contestant, with its name and its last time", () => {
    const figures = lastFigures();

    const html = withFigures("<!-- home: cost -->", "/", figures);

    const drawn = html.match(/class="line"/g);
    expect(drawn).toHaveLength(2 * figures.cost.lines.length);
    for (const { label, times } of figures.cost.lines) {
      const last = times.at(-1)!;
      const shown = last >= 10 ? String(Math.round(last)) : String(Number(last.toPrecision(2)));
      expect(html).toContain(`>${label} <tspan class="value">${shown}</tspan>`);
    }
    expect(html).toMatch(/role="img" aria-label="[^"]*Treeline from [\d.]+ to [\d.]+/);
  });

  it("draws a slower line higher", () => {
    const figures: Figures = lastFigures();
    const heights = (html: string) =>
      [...html.matchAll(/class="line" d="M[\d.]+ ([\d.]+)L/g)].map(([, height]) => Number(height));
    const slower = structuredClone(figures);
    for (const line of slower.cost.lines) line.times = line.times.map((time) => Math.min(time * 1.2, 129));

    const before = heights(withFigures("<!-- home: cost -->", "/", figures));
    const after = heights(withFigures("<!-- home: cost -->", "/", slower));

    expect(after).toHaveLength(before.length);
    expect(after.every((height, at) => height < before[at]!)).toBe(true);
  });

  it("refuses a time that the picture has no place for", () => {
    const figures = lastFigures();
    figures.cost.lines[0]!.times[0] = 1_000;

    expect(() => withFigures("<!-- home: cost -->", "/", figures)).toThrow("1000 ns is outside");
  });

  it("refuses a mark that means nothing", () => {
    expect(() => withFigures("<!-- home: stars -->")).toThrow("nothing is called stars");
  });

  it("links below the place where the site is", () => {
    expect(withFigures("<!-- home: coming-from -->", "/treeline/")).toContain(
      '<a href="/treeline/coming-from/koota.html">koota</a>',
    );
  });
});

describe("the colours of the site", () => {
  const styles = readDocument("tooling/site/.vitepress/theme/tokens.css");
  const colours = (selector: string): { [name: string]: string } => {
    const block = new RegExp(`${selector} \\{([^}]*)\\}`).exec(styles)![1]!;
    return Object.fromEntries(
      [...block.matchAll(/--tl-([\w-]+): (#[\da-f]{6})/g)].map(([, name, hex]) => [name!, hex!]),
    );
  };
  const light = colours(":root");
  const dark = { ...light, ...colours("\\.dark") };

  /** Relative luminance and contrast as WCAG 2 defines them. */
  function luminance(hex: string): number {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  }
  function contrast(one: string, other: string): number {
    const [low, high] = [luminance(one), luminance(other)].sort((less, more) => less - more);
    return (high! + 0.05) / (low! + 0.05);
  }

  const TEXTS = /^(?:ink.*|spruce|spruce-hover|larch|rust|code-(?!selection).*|chart-(?:own|\d))$/;
  const GROUNDS = [
    "paper",
    "raised",
    "sunk",
    "hover",
    "spruce-wash",
    "larch-wash",
    "rust-wash",
    "code-selection",
  ];

  it.each([
    ["light", light],
    ["dark", dark],
  ])("can be read in %s: texts have a contrast of at least 4.5", (_, theme) => {
    const texts = Object.keys(theme).filter((name) => TEXTS.test(name));

    const faint = texts.flatMap((text) =>
      GROUNDS.filter((ground) => contrast(theme[text]!, theme[ground]!) < 4.5).map(
        (ground) => `${text} on ${ground}`,
      ),
    );

    expect(texts.length).toBeGreaterThan(15);
    expect(faint).toEqual([]);
    expect(contrast("#ffffff", theme["spruce-fill"]!)).toBeGreaterThan(4.5);
    expect(contrast(theme["line-strong"]!, theme.raised!)).toBeGreaterThan(3);
  });
});
