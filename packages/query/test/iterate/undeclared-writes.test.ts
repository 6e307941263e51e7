import {
  add,
  type Entity,
  get,
  markChanged,
  observe,
  patch,
  set,
  spawn,
  spawnMany,
  value,
  webAssemblyMemory,
} from "@treeline/core";
import { onWarning, verify } from "@treeline/core/debug";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dispose, each, eachBatch, eachLevel, eachRun, entities, query, rows } from "../../src/index.ts";
import { runKernel } from "../../src/kernels.ts";
import { Frozen, Mesh } from "../definitions.ts";
import { ChildOf } from "../public/builtins.ts";
import { component, createWorld } from "../public/define.ts";
import { array, f32, i32 } from "../public/fields.ts";
import { changed } from "../public/filters.ts";
import { orderBy } from "../public/parts.ts";
import { cascade, up } from "../public/terms.ts";
import { setWorld, world } from "../test-world.ts";

const Place = component("Place", { x: f32, y: i32 });
const Kit = component("Kit", { cells: array(f32, 2) });

let warnings: string[];
let one: Entity;

const READERS = "queries with changed(Place) or orderBy do not see it";
const OBSERVERS = "observers of set are not notified";

/** A query that has read all changes so far. */
function readChanges(what = Place): void {
  entities(query(world, changed(what)));
}

function observeSet(what = Place): void {
  observe(world, { set: what }, () => undefined);
}

/** Writes all rows of a run or batch. */
function write(given: {
  first?: number;
  end?: number;
  columns(what: typeof Place): { x: Float32Array };
}): void {
  const { x } = given.columns(Place);
  for (let row = given.first!; row < given.end!; row++) x[row]! += 1;
}

function gists(): string[] {
  return warnings.splice(0).map((text) => {
    const found = [READERS, OBSERVERS].filter((gist) => text.includes(gist));
    return found.length === 0 ? text : found.join(" + ");
  });
}

beforeEach(() => {
  setWorld();
  warnings = [];
  onWarning((text) => warnings.push(text));
  one = spawn(world, Place({ x: 1, y: 2 }));
});
afterEach(() => {
  onWarning(undefined);
  expect(verify(world)).toEqual([]);
});

describe("a write to columns that is not declared", () => {
  it("is warned of if a query reads changes, or observers are notified of writes", () => {
    readChanges();
    eachRun(query(world, Place), write);
    expect(gists()).toEqual([READERS]);

    observeSet();
    eachRun(query(world, Place, Place), write);
    expect(gists()).toEqual([`${READERS} + ${OBSERVERS}`]);
  });

  it("is warned of with the query, the component and what to do", () => {
    readChanges();
    observeSet();

    eachRun(query(world, Place), write);

    expect(warnings).toEqual([
      "a callback for query(Place) has written columns of Place, but queries with changed(Place) or orderBy do not see it, and " +
        "observers of set are not notified: declare it with { writes: [Place] }, which marks the rows as changed; observers are " +
        "notified by set and patch only",
    ]);
  });

  it("is warned of once per query and component", () => {
    observeSet();
    for (let frame = 0; frame < 3; frame++) eachRun(query(world, Place), write);
    expect(gists()).toEqual([OBSERVERS]);

    for (let frame = 0; frame < 3; frame++) {
      const ship = spawn(world);
      spawn(world, Place, ChildOf(ship));
      eachRun(query(world, Place, ChildOf(ship)), write);
    }
    expect(gists()).toEqual([OBSERVERS]);
  });

  it("is warned of in batches and levels, and in one table", () => {
    const ship = spawn(world, Place);
    spawnMany(world, 3, Place, ChildOf(ship));
    observeSet();
    const writeBatch = (batch: Parameters<Parameters<typeof eachBatch>[1]>[0]): void => {
      const { x } = batch.columns(Place);
      for (let at = batch.from; at < batch.to; at++) x[batch.rows[at]!]! += 1;
    };

    eachBatch(query(world, Place, up(Place)), writeBatch);
    expect(gists()).toEqual([OBSERVERS]);
    eachLevel(query(world, Place, Place, cascade(Place)), (level) => level.eachBatch(writeBatch));
    expect(gists()).toEqual([OBSERVERS]);
    eachRun(query(world, Place, ChildOf(ship)), write);
    expect(gists()).toEqual([OBSERVERS]);
  });

  it("is warned of in kernels", () => {
    observeSet();
    spawnMany(world, 100, Place);

    eachRun(
      query(world, Place),
      runKernel([Place], ([{ x }]) => (first, end) => {
        for (let row = first; row < end; row++) x[row] = x[row]! + 1;
      }),
    );

    expect(gists()).toEqual([OBSERVERS]);
    expect(get(world, one, Place)!.x).toBe(2);
  });

  it("is warned of for lists and JavaScript values, and components that are no term", () => {
    spawn(world, Frozen, Kit, Mesh("ship"));
    observeSet(Kit as never);
    observeSet(Mesh as never);

    eachRun(query(world, Frozen), (run) => {
      run.columns(Kit).cells[run.first * 2 + 1] = 5;
    });
    eachRun(query(world, Frozen), (run) => {
      run.columns(Mesh)[run.first] = "boat";
    });

    expect(warnings.map((text) => /columns of (\w+)/.exec(text)![1])).toEqual(["Kit", "Mesh"]);
  });

  it("is warned of for fields that hold any value", () => {
    const Style = component("Style", { size: f32(12), title: value<unknown>("plain") });
    spawn(world, Frozen, Style);
    observeSet(Style as never);

    eachRun(query(world, Frozen), (run) => void run.columns(Style).title[run.first]);
    expect(warnings).toEqual([]);
    eachRun(query(world, Frozen), (run) => {
      run.columns(Style).title[run.first] = ["bold"];
    });

    expect(warnings.map((text) => /columns of (\w+)/.exec(text)![1])).toEqual(["Style"]);
  });

  it("is warned of if an order does not see it", () => {
    entities(query(world, Place, orderBy(Place, "x")));

    eachRun(query(world, Place), write);

    expect(gists()).toEqual([READERS]);
  });
});

describe("no warning is given", () => {
  it("for columns that are only read, or written with equal values", () => {
    readChanges();
    observeSet();
    let sum = 0;

    eachRun(query(world, Place), (run) => {
      const { x } = run.columns(Place);
      for (let row = run.first; row < run.end; row++) {
        sum += x[row]!;
        x[row] = 1;
      }
    });

    expect([sum, warnings]).toEqual([1, []]);
  });

  it("if changes are not read and writes not observed, or no longer", () => {
    const watching = query(world, changed(Place));
    entities(watching);
    const stop = observe(world, { set: Place }, () => undefined);
    observe(world, { added: Place }, () => undefined);
    dispose(watching);
    stop();

    eachRun(query(world, Place), write);

    expect(warnings).toEqual([]);
  });

  it("for writes that are declared", () => {
    readChanges();
    observeSet();

    eachRun(query(world, Place), write, { writes: [Place] });

    expect(warnings).toEqual([]);
  });

  it("for writes that a reader will see anyway", () => {
    readChanges();

    eachRun(query(world, Place), (run) => {
      write(run);
      markChanged(world, one, Place);
    });
    expect(warnings).toEqual([]);

    eachRun(query(world, Place, Place), write); // marked as changed, and not read since
    expect(warnings).toEqual([]);
  });

  it("for writes by verbs, and by row views of other iterations, inside the callback", () => {
    readChanges();
    const notified: number[] = [];
    observe(world, { set: Place }, ({ entity }) => notified.push(get(world, entity, Place)!.x));

    eachRun(query(world, Place), () => {
      set(world, one, Place, { x: 5 });
      patch(world, one, Place, (place) => {
        place.x += 1;
      });
    });

    expect([notified, warnings]).toEqual([[5, 6], []]);
  });

  it("for changes of other components", () => {
    observeSet();
    add(world, one, Kit);

    eachRun(query(world, Kit), (run) => {
      run.columns(Kit).cells.fill(3);
    });

    expect(warnings).toEqual([]);
  });

  it("in a world without observers while another has some", () => {
    observeSet();
    const other = createWorld({ memory: webAssemblyMemory() });
    spawn(other, Place);

    eachRun(query(other, Place), write);

    expect(warnings).toEqual([]);
  });
});

describe("a write through a row view", () => {
  it("is warned of if observers are notified of writes, once per component", () => {
    observeSet();

    for (let frame = 0; frame < 2; frame++) {
      each(query(world, Place), (place) => {
        place.x += 1;
      });
      for (const [place] of rows(query(world, Place))) place.y += 1;
    }

    expect(warnings).toEqual([
      "a row view has written Place, but observers of set are not notified: they are by set and patch only; queries with " +
        "changed(Place) see it",
    ]);
  });

  it("is not warned of for readers of changes, which see it, nor if the value is equal", () => {
    readChanges();
    each(query(world, Place), (place) => {
      place.x += 1;
    });
    observeSet();
    each(query(world, Place), (place) => {
      place.x += 0;
    });

    expect(warnings).toEqual([]);
    expect(entities(query(world, changed(Place)))).toEqual([one]);
  });
});

describe("the shipped bundle", () => {
  it("compares nothing", () => {
    const [bundle] = buildSync({
      entryPoints: [new URL("../../src/index.ts", import.meta.url).pathname],
      bundle: true,
      format: "esm",
      packages: "external",
      minifySyntax: true,
      write: false,
      dropLabels: ["CHECK"],
    }).outputFiles;

    expect(bundle!.text).not.toMatch(/noticing|Snapshot|notifiedWrites|has written/);
  });
});
