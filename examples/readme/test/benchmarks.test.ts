// The page of the benchmarks says what its data says, and new results replace only what they measured again.
import { describe, expect, it } from "vitest";
import { at, readDocument } from "./support.ts";

interface Workload {
  readonly name: string;
  readonly date: string;
  readonly rows: Readonly<Record<string, readonly ({ readonly isolated: number | string } | null)[]>>;
}
interface Host {
  readonly host: string;
  readonly machine: string;
  readonly contestants: Readonly<Record<string, object>>;
  readonly workloads: readonly Workload[];
  readonly memory: Readonly<Record<string, object>>;
}
interface Data {
  readonly hosts: readonly Host[];
  readonly rows: readonly { readonly question: string }[];
}

const load = (name: string) => import(/* @vite-ignore */ at(`tooling/scripts/report/${name}.mjs`));
const { filesOf, mergedData, readData } = await load("data");
const { pageOf } = await load("page");
const { modelOf } = await load("model");
const { picturesOf } = await load("pictures");
const { memoryPicturesOf } = await load("memory");
const verdicts = await load("verdicts");
const gates = await import(/* @vite-ignore */ at("tooling/scripts/compare/table.mjs"));

const data: Data = readData(at("docs/benchmarks"));
const host = data.hosts[0]!;

const fresh = (changes: Partial<Host>): Data => ({ hosts: [{ ...host, memory: {}, ...changes }], rows: [] });

describe("docs/benchmarks", () => {
  it("shows its data", () => {
    const [first, ...others] = data.hosts.map(modelOf);
    const pictures = [...picturesOf(first), ...memoryPicturesOf(first)].map((one) => ({
      ...one,
      file: one.name,
    }));

    const page = pageOf([first, ...others], pictures, data.rows);

    expect(page).toBe(readDocument("docs/benchmarks/README.md"));
  });

  it("has data as the report writes it", () => {
    for (const [name, text] of filesOf(data)) expect(text).toBe(readDocument(`docs/benchmarks/${name}`));
  });
});

describe("the libraries that Treeline is compared with", () => {
  const { alternative, unchecked } = verdicts.GROUPS;
  const first = modelOf(host);
  const libraries = Object.keys(host.contestants).filter((key) => first.contestants[key].kind === "library");

  it("are in one of two groups each: what programs use instead, and what checks no handle", () => {
    expect(libraries.filter(unchecked.isIn).sort()).toEqual(["elics", "piecs", "wolf-ecs"]);
    expect(libraries.filter(alternative.isIn)).toEqual(libraries.filter((key) => !unchecked.isIn(key)));
  });

  it("are each compared within their group", () => {
    const spawn = first.workloads.find(({ name }: Workload) => name === "spawn");
    const timesOf = (group: typeof alternative): number[] =>
      libraries.filter(group.isIn).flatMap((key) => {
        const cell = spawn.rows.get(key)?.[0]?.isolated;
        return cell?.kind === "measured" ? [cell.time] : [];
      });

    for (const group of [alternative, unchecked]) {
      const { time } = verdicts.fastest(first, spawn, 0, "library", { group });
      expect(time).toBe(Math.min(...timesOf(group)));
    }
  });
});

describe("new results", () => {
  it("replace the workloads that they have, and no other", () => {
    const spawn = host.workloads.find(({ name }) => name === "spawn")!;
    const again = { ...spawn, date: "2030-01-01", rows: {} };

    const { hosts }: Data = mergedData(data, fresh({ workloads: [again] }));

    const others = (one: Host) => one.workloads.filter(({ name }) => name !== "spawn");
    expect(hosts[0]!.workloads.find(({ name }) => name === "spawn")).toEqual(again);
    expect(others(hosts[0]!)).toEqual(others(host));
    expect(hosts[0]!.memory).toEqual(host.memory);
    expect(hosts.slice(1)).toEqual(data.hosts.slice(1));
  });

  it("of another machine are marked where the rest stays", () => {
    const [cascade] = host.workloads;

    const { hosts }: Data = mergedData(data, fresh({ workloads: [cascade!], machine: "another" }));

    expect(hosts[0]!.machine).toBe(host.machine);
    expect(hosts[0]!.workloads.find(({ name }) => name === cascade!.name)).toMatchObject({
      machine: "another",
    });
  });

  it("of another version of an engine replace all of it", () => {
    const { hosts }: Data = mergedData(
      data,
      fresh({ host: host.host.replace(/\d+$/, "999"), workloads: [host.workloads[0]!] }),
    );

    expect(hosts.map(({ workloads }) => workloads.length)).toEqual([
      1,
      ...data.hosts.slice(1).map(({ workloads }) => workloads.length),
    ]);
  });
});

describe("verdicts of gates", () => {
  const verdictOf = (
    limit: number,
    ratio: number,
    low: number,
    high: number,
    control = [0.99, 1.01],
  ): string => gates.verdictOf({ limit }, 0, { ratio, interval: [low, high], control });

  it("go by the ratio, and say whether its interval agrees", () => {
    expect(verdictOf(0.5, 0.45, 0.4, 0.49)).toBe("reached");
    expect(verdictOf(0.5, 0.45, 0.4, 0.53)).toBe("reached, in doubt");
    expect(verdictOf(0.5, 0.53, 0.48, 0.6)).toBe("in doubt");
    expect(verdictOf(0.5, 0.55, 0.51, 0.6)).toBe("**not reached**");
  });

  it("doubt what is not above the limit by more than the same commit differs from itself", () => {
    expect(verdictOf(1, 1.04, 1.03, 1.07, [0.95, 1.01])).toBe("in doubt");
    expect(verdictOf(1, 1.04, 1.03, 1.07, [0.99, 1.05])).toBe("in doubt");
    expect(verdictOf(1, 1.04, 1.03, 1.07, [0.98, 1.02])).toBe("**not reached**");
  });

  it("go by the time where the limit is a time, and without a limit there is none", () => {
    const judged = { ratio: 3, interval: [2, 4], control: [1, 1] };

    expect(gates.verdictOf({ most: 20_000 }, 19_000, judged)).toBe("reached");
    expect(gates.verdictOf({ most: 20_000 }, 21_000, judged)).toBe("**not reached**");
    expect(gates.verdictOf({}, 21_000, judged)).toBe("reported");
  });
});
