import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { inspectFile } from "../src/program/inspect.ts";
import { parseOptions } from "../src/program/options.ts";
import { complaintOf, here } from "./support.ts";

const folder = mkdtempSync(join(tmpdir(), "scene-picture-"));
afterAll(() => rmSync(folder, { recursive: true }));

const draw = (picture: string): unknown =>
  inspectFile(
    here("scenes/mannequiny.gltf"),
    parseOptions(["a.gltf", "--frames", "0", "--picture", picture]),
    80,
  );

describe("--picture", () => {
  it("draws the picture that the README of the project shows", () => {
    const path = join(folder, "figure.svg");

    draw(path);

    expect(readFileSync(path, "utf8")).toBe(readFileSync(here("../../docs/pictures/figure.svg"), "utf8"));
  });

  it("says which file it cannot write", () => {
    expect(complaintOf(() => draw(join(folder, "missing", "figure.svg")))).toMatch(
      /figure\.svg cannot be written/,
    );
  });
});
