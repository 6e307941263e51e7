// The plugin for bundlers (`compiler`), and how a report reads (`reportLine`).
import { createUnplugin, type UnpluginInstance } from "unplugin";
import { type CompileOptions, compile, type ReportEntry } from "./module/compile.ts";

export type { Compiled, CompileOptions, ReportEntry } from "./module/compile.ts";
export { compile } from "./module/compile.ts";
export type { SourceMap } from "./print/pieces.ts";

/** How the plugin compiles, and what it tells. */
export interface CompilerOptions extends CompileOptions {
  /** Prints a line for each call of `each`: whether it is compiled, or why not. A function gets the entries instead. Default false. */
  readonly report?: (boolean | ((entry: ReportEntry) => void)) | undefined;
  /** Files that are compiled, by name. Default all JavaScript and TypeScript outside of `node_modules`. */
  readonly include?: RegExp | undefined;
}

const FILES = /^(?!.*[\\/]node_modules[\\/]).*\.[cm]?[jt]sx?$/;

/** One entry as a line, such as `src/move.ts:12:3 each is compiled`. */
export function reportLine({ file, line, column, isCompiled, reason }: ReportEntry): string {
  return `${file}:${line}:${column} ${isCompiled ? "each is compiled" : `each is left alone: ${reason}`}`;
}

/**
 * A build plugin that compiles callbacks of `each` to loops over columns: `compiler.vite()`, `compiler.rollup()`, `compiler.rolldown()`,
 * `compiler.esbuild()`, `compiler.webpack()`, `compiler.rspack()`. Results, ticks, deferred changes and errors stay the same.
 *
 * @example
 * // vite.config.ts
 * export default defineConfig({ plugins: [compiler.vite({ report: true })] });
 */
export const compiler: UnpluginInstance<CompilerOptions | undefined> = /* @__PURE__ */ createUnplugin(
  (options: CompilerOptions | undefined = {}) => {
    const { report = false, include = FILES } = options;
    const tell =
      typeof report === "function" ? report : (entry: ReportEntry) => console.log(reportLine(entry));
    return {
      name: "treeline-compiler",
      enforce: "pre",
      transform: {
        filter: { id: include, code: "each" },
        handler(code, id) {
          const file = id.replace(/[?#].*$/, "");
          const compiled = compile(code, file, options);
          if (report !== false) for (const entry of compiled.report) tell(entry);
          return compiled.isChanged ? { code: compiled.code, map: compiled.map } : undefined;
        },
      },
    };
  },
);
