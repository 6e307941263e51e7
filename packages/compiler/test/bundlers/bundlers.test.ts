import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rspack } from "@rspack/core";
import { build as esbuild } from "esbuild";
import { rolldown } from "rolldown";
import { rollup } from "rollup";
import { build as vite } from "vite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import webpack from "webpack";
import { compiler, type ReportEntry } from "../../src/index.ts";
import { EXPECTED, OF_LIBRARIES, THROWN, withProgram } from "./program.ts";

const OUT = "out.mjs";
/** The packages of the program are not bundled: the built ones are used. */
const external = /^(?:@treeline\/|treeline(?:\/|$))/;
const isBuilt = existsSync(fileURLToPath(new URL("../../../query/dist/compiled.js", import.meta.url)));

let program: ReturnType<typeof withProgram>;
let report: ReportEntry[] = [];
const options = { report: (entry: ReportEntry) => void report.push(entry) };

beforeEach(() => {
  program = withProgram();
  report = [];
});

afterEach(() => program.remove());

/** Runs what was bundled in a process of its own, with source maps. */
function run(...flags: string[]): { place: string } {
  const text = execFileSync(process.execPath, ["--enable-source-maps", ...flags, join(program.folder, OUT)], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  return JSON.parse(text) as { place: string };
}

function configOf(plugin: unknown): object {
  return {
    mode: "production",
    devtool: "source-map",
    entry: program.entry,
    experiments: { outputModule: true },
    output: { path: program.folder, filename: OUT, module: true, library: { type: "module" } },
    externals: [external],
    externalsType: "module",
    optimization: { minimize: false },
    plugins: [plugin],
    target: "node20",
  };
}

async function bundleByEsbuild(entry: string): Promise<void> {
  await esbuild({
    entryPoints: [entry],
    outfile: join(program.folder, OUT),
    bundle: true,
    format: "esm",
    sourcemap: true,
    packages: "external",
    plugins: [compiler.esbuild(options)],
  });
}

/** Webpack reads no TypeScript by itself: a loader strips the types after the plugin. */
const stripping = fileURLToPath(new URL("strip-types.cjs", import.meta.url));

describe.skipIf(!isBuilt)(
  "a program that is bundled with the plugin prints the same, and errors point at its source",
  () => {
    it("by esbuild", async () => {
      await bundleByEsbuild(program.entry);

      expect(run()).toEqual({ ...EXPECTED, place: THROWN });
      expect(report.map(({ isCompiled, line }) => [isCompiled, line])).toEqual([
        [true, 14],
        [true, 21],
      ]);
    });

    it("by esbuild, with imports of the packages", async () => {
      const library = withProgram(OF_LIBRARIES);
      await bundleByEsbuild(library.entry);
      library.remove();

      expect(run()).toMatchObject(EXPECTED);
      expect(report.every(({ isCompiled }) => isCompiled)).toBe(true);
    });

    it("by Rolldown", async () => {
      const bundle = await rolldown({
        input: program.entry,
        external,
        plugins: [compiler.rolldown(options)],
      });
      await bundle.write({ file: join(program.folder, OUT), sourcemap: true });

      expect(run()).toEqual({ ...EXPECTED, place: THROWN });
    });

    it("by Vite", async () => {
      await vite({
        root: program.folder,
        configFile: false,
        logLevel: "silent",
        plugins: [compiler.vite(options)],
        build: {
          lib: { entry: program.entry, formats: ["es"], fileName: () => OUT },
          outDir: program.folder,
          emptyOutDir: false,
          sourcemap: true,
          minify: false,
          rolldownOptions: { external },
        },
      });

      expect(run()).toEqual({ ...EXPECTED, place: THROWN });
    });

    it("by Rollup, after the types are stripped", async () => {
      const strip = {
        name: "strip-types",
        async transform(code: string, id: string) {
          const { transform } = await import("esbuild");
          return transform(code, { loader: "ts", sourcemap: true, sourcefile: id });
        },
      };
      const bundle = await rollup({
        input: program.entry,
        external,
        plugins: [compiler.rollup(options), strip],
      });
      await bundle.write({ file: join(program.folder, OUT), sourcemap: true });

      expect(run()).toEqual({ ...EXPECTED, place: THROWN });
    });

    it("by webpack", async () => {
      const config = {
        ...configOf(compiler.webpack(options)),
        module: { rules: [{ test: /\.ts$/, use: [{ loader: stripping }] }] },
      };
      await new Promise<void>((resolve, reject) => {
        webpack(config as never, (error, stats) => {
          if (error) reject(error);
          else if (stats?.hasErrors()) reject(new Error(stats.toString({})));
          else resolve();
        });
      });

      expect(run()).toMatchObject(EXPECTED);
      expect(report.every(({ isCompiled }) => isCompiled)).toBe(true);
    });

    it("by Rspack", async () => {
      const config = {
        ...configOf(compiler.rspack(options)),
        module: {
          rules: [
            {
              test: /\.ts$/,
              loader: "builtin:swc-loader",
              options: { jsc: { parser: { syntax: "typescript" }, target: "es2022" } },
              type: "javascript/auto",
            },
          ],
        },
      };
      await new Promise<void>((resolve, reject) => {
        rspack(config as never, (error, stats) => {
          if (error) reject(error);
          else if (stats?.hasErrors()) reject(new Error(stats.toString({})));
          else resolve();
        });
      });

      expect(run()).toMatchObject(EXPECTED);
      expect(report.every(({ isCompiled }) => isCompiled)).toBe(true);
    });
  },
);
