import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../src/run.ts";
import { glbBytes, gltfText, here } from "./support.ts";

const folder = mkdtempSync(join(tmpdir(), "scene-program-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Result {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly errors: readonly string[];
}

function runHere(...args: string[]): Result {
  const lines: string[] = [];
  const errors: string[] = [];
  const code = run(args, {
    line: (text) => lines.push(...text.split("\n")),
    error: (text) => errors.push(...text.split("\n")),
    width: 100,
  });
  return { code, lines, errors };
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

function runBuilt(...args: string[]): Result {
  const { status, stdout, stderr } = spawnSync(process.execPath, [here("dist/main.js"), ...args], {
    cwd: here("."),
    encoding: "utf8",
  });
  return { code: status, lines: linesOf(stdout), errors: linesOf(stderr) };
}

/** Once is enough for the built program, which is the same whatever the tests import; it is what users run, and tested instead. */
const isBuilt = process.env.TREELINE_BUILD === "shipped" && existsSync(here("dist/main.js"));

describe.each([
  ["in this process", runHere, !isBuilt],
  ["as built", runBuilt, isBuilt],
])("the program %s", (_, runProgram, present) => {
  const test = it.skipIf(!present);

  test("shows the bundled scenes", () => {
    const { code, lines, errors } = runProgram(...(runProgram === runBuilt ? [] : ["--frames=20"]));

    expect(errors).toEqual([]);
    expect(code).toBe(0);
    expect(lines[0]).toBe(
      "interactivity-overview.gltf, the largest of 11 bundled scenes: 1,397 entities in 4 levels",
    );
    expect(lines).toContain("└─ Exporter");
    expect(lines.length).toBeLessThan(80);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    const text = lines.join("\n");
    for (const label of ["found", "animated", "moved", "destroyed", "storage"]) {
      expect(text).toMatch(new RegExp(`^${label} `, "m"));
    }
    expect(text).toContain("what was moved there is destroyed too");
    expect(text).toMatch(/^ {2}two-scenes\.gltf +3 +2 /m);
  });

  test("finds nodes of a file and prints their matrices", () => {
    const { code, lines, errors } = runProgram(
      here("scenes/rigged-figure.gltf"),
      "--find",
      "Z_UP::Armature::torso_joint_1",
      "--frames=0",
    );

    expect(errors).toEqual([]);
    expect(code).toBe(0);
    const at = lines.indexOf("found      Z_UP::Armature::torso_joint_1");
    expect(lines.slice(at + 1, at + 6).join("\n")).toMatch(
      /^ {11}at 0, 0\.686, 0\n( {11}\[( +-?[\d.e-]+){4} \]\n?){4}$/,
    );
    expect(lines.some((line) => line.startsWith("animated"))).toBe(false);
  });

  test("shows how much of a path exists", () => {
    const path = join(folder, "car.glb");
    writeFileSync(path, glbBytes(gltfText([{ name: "Car", children: [1] }, { name: "Wheel" }])));

    const { code, lines, errors } = runProgram(path, "--find", "Car::Door", "--frames", "5");

    expect(errors).toEqual([]);
    expect(code).toBe(1);
    expect(lines).toContain('not found  "Car::Door" does not exist');
    expect(lines).toContain('           "Car" exists; directly below it: 1 entity');
    expect(lines).toContain("             Wheel");
  });

  test("shows a file of several scenes, and one of them alone", () => {
    expect(runProgram(here("scenes/two-scenes.gltf"), "--frames=0").lines.slice(2, 5)).toEqual([
      "├─ Scene",
      "│  └─ Empty",
      "└─ Empty Scene",
    ]);
    expect(
      runProgram(here("scenes/two-scenes.gltf"), "--frames=0", "--scene", "0").lines.slice(2, 3),
    ).toEqual(["└─ Empty"]);
  });

  test("shows a file without nodes", () => {
    const path = join(folder, "empty.gltf");
    writeFileSync(path, gltfText(undefined));

    const { code, lines, errors } = runProgram(path);

    expect(errors).toEqual([]);
    expect(code).toBe(0);
    expect(lines[0]).toBe(`${path}: 0 entities in 0 levels`);
  });

  test("shows its help", () => {
    const { code, lines } = runProgram("--help");

    expect(code).toBe(0);
    expect(lines[0]).toMatch(/^usage: node dist\/main\.js/);
  });

  test.each([
    [
      "a cycle",
      ["test/invalid/cycle.gltf"],
      "PATH: the nodes form a cycle: node 0 -> node 1 -> node 2 -> node 0",
    ],
    ["two parents", ["test/invalid/two-parents.gltf"], "PATH: node 2 has two parents: node 0 and node 1"],
    ["a missing file", ["none.gltf"], "PATH: there is no such file"],
    ["a directory", ["scenes"], "PATH: is a directory, not a file"],
    ["no JSON", ["README.md"], "PATH: not JSON: "],
    ["no glTF", ["package.json"], "PATH: not glTF: asset.version is missing"],
    [
      "a wrong scene",
      ["scenes/penguin.gltf", "--scene=1"],
      "PATH: there is no scene 1, the file has only scene 0",
    ],
    ["a wrong path", ["scenes/penguin.gltf", "--find", ""], '--find "": '],
  ])("reports %s in one line", (_what, [file = "", ...options], message) => {
    const { code, lines, errors } = runProgram(here(file), ...options);

    expect(errors).toHaveLength(1);
    expect(errors[0]?.replace(here(file), "PATH")).toContain(`error: ${message}`);
    expect(lines).toEqual([]);
    expect(code).toBe(1);
  });

  test("reports a wrong option in one line", () => {
    expect(runProgram("--fast")).toEqual({
      code: 1,
      lines: [],
      errors: ['error: unknown option "--fast"; --help lists the options'],
    });
  });
});
