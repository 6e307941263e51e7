// Which calls are calls of `each` (`callsIn`), and what becomes of a module (`compile`).
import { parseSync } from "oxc-parser";
import { type Analysis, analyse } from "../callback/analyse.ts";
import { LeftAlone } from "../callback/uses.ts";
import { kernelCallPieces, kernelPieces, loopPieces, usesText } from "../print/loops.ts";
import { copied, join, linesOf, made, type Piece, placeIn, type SourceMap } from "../print/pieces.ts";
import { type Node, nodesIn, unwrap } from "../syntax/nodes.ts";
import { type Scopes, scopesOf } from "../syntax/scopes.ts";

/** How callbacks are compiled. */
export interface CompileOptions {
  /** Modules that export `each`. Default the packages of Treeline that do: `treeline` and `@treeline/query`. */
  readonly modules?: readonly (string | RegExp)[] | undefined;
  /**
   * The module with what compiled code calls. Default that of the package from which a module imports `each`: `"treeline/compiled"`, or
   * `"@treeline/query/compiled"`. Of other modules, the first of these.
   */
  readonly runtime?: string | undefined;
  /**
   * Callbacks that call nothing, and only read names around them to which nothing assigns, become kernels: their loops are compiled
   * again for the columns that they work on, with `new Function`. Default false.
   */
  readonly kernels?: boolean | undefined;
}

/** What became of one call of `each`. */
export interface ReportEntry {
  readonly file: string;
  /** Where the call is, or what keeps its callback from being compiled: from 1, as editors count. */
  readonly line: number;
  readonly column: number;
  readonly isCompiled: boolean;
  /** Why it was left alone. */
  readonly reason?: string;
}

/** A compiled module. */
export interface Compiled {
  readonly code: string;
  readonly map: SourceMap;
  /** All calls of `each`, in the order of the text. */
  readonly report: readonly ReportEntry[];
  /** False if the code is as it was. */
  readonly isChanged: boolean;
}

/** What compiled code calls, in each package that exports `each`: it imports only what its program depends on. */
const RUNTIMES = ["treeline/compiled", "@treeline/query/compiled"] as const;
const exporterOf = (runtime: string): string => runtime.replace(/\/compiled$/, "");
const LANGUAGES = /\.[cm]?([jt]s)(x?)$/;

/**
 * Compiles all calls `each(query, callback)` of a module, with or without options, whose callbacks are function literals that only use fields of their
 * parameters, and the entity. What cannot be proved to do the same is left as it is.
 *
 * @param id the name of the file; its ending tells the language.
 *
 * @example
 * const { code, map, report } = compile(source, "src/move.ts");
 */
export function compile(code: string, id: string, options: CompileOptions = {}): Compiled {
  const unchanged = {
    code,
    map: join([copied(code, 0, code.length)], code, id).map,
    report: [],
    isChanged: false,
  };
  if (!code.includes("each")) return unchanged;
  const [, language = "js", jsx = ""] = LANGUAGES.exec(id) ?? [];
  const { program, errors } = parseSync(id, code, {
    lang: `${language}${jsx}` as "ts",
    sourceType: "module",
    preserveParens: true,
  });
  if (errors.length > 0) return unchanged;
  const wrapperOf = unwrap(program as Node);
  const scopes = scopesOf(program as Node);
  const calls = callsIn(program as Node, scopes, options.modules ?? RUNTIMES.map(exporterOf));
  const lines = linesOf(code);
  const report: ReportEntry[] = [];
  const found: Found[] = [];
  // Inner ones first: one that has a compiled one in it is left alone.
  for (const [call, source] of [...calls].reverse()) {
    const entry = (at: number, reason?: string): ReportEntry => {
      const { line, column } = placeIn(lines, at);
      const where = { file: id, line: line + 1, column: column + 1 };
      return reason === undefined ? { ...where, isCompiled: true } : { ...where, isCompiled: false, reason };
    };
    try {
      found.unshift({ call, source, analysis: analysisOf(call, code, scopes, found) });
      report.unshift(entry(call.start));
    } catch (error) {
      if (!(error instanceof LeftAlone)) throw error;
      report.unshift(entry(error.at, error.message));
    }
  }
  if (found.length === 0) return { ...unchanged, report };
  return { ...print(program as Node, code, id, found, options, wrapperOf), report, isChanged: true };
}

type Call = Node & { readonly callee: Node; readonly arguments: readonly Node[] };

interface Found {
  readonly call: Call;
  /** The module from which `each` is imported. */
  readonly source: string;
  readonly analysis: Analysis;
}

/** The calls of `each` that a module imports, outer ones first, each with the module from which it is imported. */
function callsIn(program: Node, scopes: Scopes, modules: readonly (string | RegExp)[]): [Call, string][] {
  const isKnown = (source: string): boolean =>
    modules.some((one) => (typeof one === "string" ? one === source : one.test(source)));
  const calls: [Call, string][] = [];
  for (const node of nodesIn(program)) {
    if (node.type !== "CallExpression") continue;
    const { callee } = node;
    const isOfNamespace = callee.type === "MemberExpression" && !callee.computed;
    const name = isOfNamespace ? callee.object : callee;
    const variable = scopes.variableOf.get(name as Node);
    if (variable?.kind !== "import" || variable.isAssigned) continue;
    const declaration = scopes.parentOf.get(variable.node);
    if (declaration?.type !== "ImportDeclaration" || !isKnown(declaration.source.value)) continue;
    const { node: specifier } = variable;
    const isEach = isOfNamespace
      ? specifier.type === "ImportNamespaceSpecifier" &&
        callee.property.type === "Identifier" &&
        callee.property.name === "each"
      : specifier.type === "ImportSpecifier" &&
        specifier.imported.type === "Identifier" &&
        specifier.imported.name === "each";
    if (isEach) calls.push([node as unknown as Call, declaration.source.value]);
  }
  return calls;
}

/** @throws LeftAlone */
function analysisOf(call: Call, code: string, scopes: Scopes, inner: readonly Found[]): Analysis {
  if ("optional" in call && call.optional) throw new LeftAlone("the call is optional", call.start);
  const [query, callback, ...more] = call.arguments;
  const isSpread = call.arguments.some((one) => one.type === "SpreadElement");
  if (query === undefined || callback === undefined || more.length > 1 || isSpread)
    throw new LeftAlone("each takes a query and a callback", call.start);
  const isIn = ({ call: one }: Found): boolean => call.start < one.start && one.end <= call.end;
  if (inner.some(isIn)) throw new LeftAlone("another each in it is compiled", call.start);
  return analyse(callback, code, scopes);
}

// ---- printing ------------------------------------------------------------------------------------------------------

function print(
  program: Node,
  code: string,
  id: string,
  found: readonly Found[],
  { runtime = runtimeFor(found[0]?.source), kernels = false }: CompileOptions,
  wrapperOf: ReadonlyMap<Node, Node>,
): { code: string; map: SourceMap } {
  let prefix = "$_";
  while (code.includes(prefix)) prefix += "_";
  const body = "body" in program ? (program.body as readonly Node[]) : [];
  const directives = body.filter((one) => "directive" in one && one.directive);
  const start = directives.at(-1)?.end ?? body[0]?.start ?? 0;
  const pieces: Piece[] = [
    copied(code, 0, start),
    made(headOf(found, prefix, runtime, directives.length > 0)),
  ];
  const isKernel = ({ analysis }: Found): boolean => kernels && analysis.kernelNames !== undefined;
  if (found.some(isKernel)) {
    const from = JSON.stringify(runtime.replace(/(\.[cm]?[jt]s)?$/, "-kernels$1"));
    pieces.push(made(`import { columnKernel as ${prefix}kernel, goByKernel as ${prefix}go } from ${from}; `));
  }
  found.forEach((one, number) => {
    if (!isKernel(one)) return;
    pieces.push(
      made(`const ${prefix}kernel${number} = /* @__PURE__ */ ${prefix}kernel(`),
      ...kernelPieces(one.analysis, code, prefix),
      made("); "),
    );
  });
  let at = start;
  found.forEach((one, number) => {
    const { call, analysis } = one;
    const { callee } = call;
    const { callback } = analysis;
    const { start: argument } = wrapperOf.get(callback) ?? callback;
    pieces.push(
      copied(code, at, callee.start),
      made(`${prefix}each`, callee.start),
      copied(code, callee.end, argument),
      made(`${prefix}uses${number}, `, callback.start),
      copied(code, argument, callback.start),
      ...(isKernel(one)
        ? kernelCallPieces(analysis, code, prefix, number)
        : loopPieces(analysis, code, prefix)),
    );
    at = callback.end;
  });
  pieces.push(copied(code, at, code.length));
  return join(pieces, code, id);
}

/** What compiled code imports if no option says so. */
function runtimeFor(source: string | undefined): string {
  return RUNTIMES.find((runtime) => exporterOf(runtime) === source) ?? RUNTIMES[0];
}

/** In the first line, so that all lines keep their numbers as far as they can. */
function headOf(found: readonly Found[], prefix: string, runtime: string, isAfter: boolean): string {
  const names = ["eachColumns as each", "mark", "valueIn as value"].map((one) => {
    const [name, alias = name] = one.split(" as ");
    return `${name} as ${prefix}${alias}`;
  });
  const uses = found.map(({ analysis }, number) => `${prefix}uses${number} = ${usesText(analysis)}`);
  return `${isAfter ? "; " : ""}import { ${names.join(", ")} } from ${JSON.stringify(runtime)}; const ${uses.join(", ")}; `;
}
