import { decode } from "@jridgewell/sourcemap-codec";
import { describe, expect, it } from "vitest";
import { compile, reportLine } from "../src/index.ts";

/** The module of a callback, with what it needs. */
function moduleOf(callback: string, before = 'import { each } from "@treeline/query";'): string {
  return `${before}\nexport const run = (query) => {\n  each(query, ${callback});\n};\n`;
}

function reasonOf(callback: string): string | undefined {
  const { report, isChanged } = compile(moduleOf(callback), "src/run.ts");
  expect(isChanged).toBe(false);
  expect(report).toHaveLength(1);
  return report[0]!.reason;
}

function isCompiled(code: string, file = "src/run.ts"): boolean {
  return compile(code, file).isChanged;
}

const BODY = "(a, b) => { a.x += b.x; }";

describe("calls of each are found", () => {
  it.each([
    ["by its name", moduleOf(BODY)],
    [
      "by another name",
      moduleOf(BODY, 'import { each as loop } from "@treeline/query";').replace("each(query", "loop(query"),
    ],
    [
      "in a namespace",
      moduleOf(BODY, 'import * as q from "@treeline/query";').replace("each(query", "q.each(query"),
    ],
    [
      "by a name in quotes",
      moduleOf(BODY, 'import { "each" as each } from "@treeline/query";').replace('"each" as each', "each"),
    ],
    ["after directives", moduleOf(BODY, '"use client";\nimport { each } from "@treeline/query";')],
    ["with arguments of types", moduleOf("(a: any, b?: { x: number }): void => { a!.x += b!.x as number; }")],
    ["in parentheses", moduleOf(`(${BODY})`)],
    ["with type arguments", moduleOf(BODY).replace("each(query", "each<any>(query")],
  ])("%s", (_, code) => {
    expect(isCompiled(code)).toBe(true);
  });

  it("in JSX, and in the languages that files end with", () => {
    const jsx = `${moduleOf(BODY)}export const view = () => <button onClick={() => run(1)}>go</button>;\n`;

    expect(isCompiled(jsx, "view.jsx")).toBe(true);
    expect(isCompiled(jsx, "view.tsx")).toBe(true);
    expect(isCompiled(moduleOf(BODY), "run.mts")).toBe(true);
    expect(isCompiled(moduleOf(BODY), "run.js")).toBe(true);
  });

  it.each([
    ["of another module", moduleOf(BODY, 'import { each } from "lodash";')],
    ["that is a global", moduleOf(BODY, "")],
    ["that is shadowed", moduleOf(BODY).replace("(query)", "(query, each)")],
    ["that is shadowed by a later declaration", moduleOf(BODY).replace("};", "function each() {}\n};")],
    [
      "of a namespace that is shadowed",
      moduleOf(BODY, 'import * as q from "@treeline/query";').replace(
        "each(query",
        "((q) => q.each)(1)(query",
      ),
    ],
    ["in a text that does not parse", `${moduleOf(BODY)}%%`],
  ])("but not one %s", (_, code) => {
    const { code: made, isChanged } = compile(code, "src/run.js");

    expect(isChanged).toBe(false);
    expect(made).toBe(code);
  });

  it.each(["treeline/compiled", "@treeline/query/compiled"])(
    "of a package that has %s, and calls that",
    (runtime) => {
      const module = runtime.replace("/compiled", "");
      const { code, isChanged } = compile(moduleOf(BODY, `import { each } from "${module}";`), "src/run.js");
      const kernels = compile(
        moduleOf(BODY, `import * as q from "${module}";`).replace("each(", "q.each("),
        "src/run.js",
        {
          kernels: true,
        },
      );

      expect(isChanged).toBe(true);
      expect([...code.matchAll(/ from "([^"]*compiled[^"]*)"/g)].map(([, name]) => name)).toEqual([runtime]);
      expect(kernels.code).toContain(`"${runtime}-kernels"`);
    },
  );

  it("exported by modules that options name", () => {
    const code = moduleOf(BODY, 'import { each } from "./ecs.ts";');

    expect(compile(code, "run.ts", { modules: ["./ecs.ts"], runtime: "./compiled.ts" }).code).toContain(
      'from "./compiled.ts"',
    );
    expect(compile(code, "run.ts", { modules: [/ecs/] }).isChanged).toBe(true);
    expect(compile(code, "run.ts").isChanged).toBe(false);
  });
});

describe("what cannot be proved is left alone, with a reason", () => {
  it.each([
    ["callback", "the callback is not a function literal"],
    ["(a) => { b; }", "the callback uses no field of a parameter"],
    ["async (a) => { a.x = 1; }", "the callback is async, or a generator"],
    ["function* (a) { a.x = 1; }", "the callback is async, or a generator"],
    [
      "function (a) { this.n = a.x; }",
      "a function that is not an arrow function uses this, arguments or new.target",
    ],
    ["function named(a) { a.x = named; }", "the callback names itself"],
    ['(a) => { "use strict"; a.x = 1; }', "the callback has a directive"],
    ["(a) => { var n = a.x; }", "a var would keep its value from row to row; use let"],
    ["(a) => { a = 1; a.x = 2; }", "a is assigned, or declared twice"],
    ["(a = {}) => { a.x = 2; }", "a parameter has a default, is a rest or is destructured as a list"],
    ["({ x = 1 }) => { f(x); }", "a pattern has a default, a rest, a computed name or a pattern in it"],
    ["(a) => { a[name] = 2; }", "a[...] has a computed name"],
    ["(a, b) => { f(a); a.x = 1; }", "a is used as a whole, and not only as a.field"],
    ["(a, b) => { f(a); b.x = 1; }", "a is used as a whole: only the entity may be, as the last parameter"],
    ["(a) => { later(() => a.x); }", "a function inside the callback uses a"],
    ["(a) => { a.run(); }", "a.run is called"],
    ["(a) => { delete a.x; }", "a.x is deleted"],
    ["(a) => { [a.x] = [1]; }", "a pattern or loop assigns to a.x"],
    ["(a) => { f(a?.x.y); }", "a.x is in a longer chain"],
    ["(a) => { a.x = eval(code); }", "the callback calls eval"],
    ["(a) => { const f = function () { return eval(code); }; a.x = f(); }", "the callback calls eval"],
    ["(a) => { enum E { A = a.x } }", "the callback has an enum, a namespace or a declare in it"],
    [
      "(a) => { f(() => { enum E { A = a.x } }); }",
      "the callback has an enum, a namespace or a declare in it",
    ],
    [
      "(a) => { { declare let a: any; } a.x = 1; }",
      "the callback has an enum, a namespace or a declare in it",
    ],
    ["(a) => { class C { @decorator(a.x) n = 1; } a.x = 2; }", "a function inside the callback uses a"],
    ["(a) => { class C { run(@decorator(a.x) n) {} } a.x = 2; }", "a function inside the callback uses a"],
    ["(a) => { (a.x as any)(); }", "a.x is called"],
    ["(a) => { (a?.x)(); }", "a.x is called"],
    ["(a) => { new (a?.x as any)(); }", "a.x is called"],
    ["(a) => { delete (a.x as any); }", "a.x is deleted"],
    ["(a) => { delete a?.x; }", "a.x is deleted"],
    ["(a) => { [(a.x as any)] = [1]; }", "a pattern or loop assigns to a.x"],
    ["(a) => { f((a?.x)!.y); }", "a.x is in a longer chain"],
    ["(a) => { f()\na?.x && g() }", "a line begins here, and the one before has no semicolon"],
    ["...both", "each takes a query and a callback"],
  ])("%s", (callback, reason) => {
    expect(reasonOf(callback)).toBe(reason);
  });

  it("at the place in the file that says so", () => {
    const { report } = compile(moduleOf("(a) => {\n    a.x = 1;\n    send(a);\n  }"), "src/run.ts");

    expect(report.map(reportLine)).toEqual([
      "src/run.ts:5:10 each is left alone: a is used as a whole, and not only as a.field",
    ]);
  });

  it("if another callback in it is compiled", () => {
    const { report } = compile(moduleOf("(a) => { a.x = 1; each(query, (b) => { b.x = 2; }); }"), "run.ts");

    expect(report.map(({ isCompiled: is, reason }) => [is, reason])).toEqual([
      [false, "another each in it is compiled"],
      [true, undefined],
    ]);
  });
});

describe("compiled code", () => {
  it("names its source in the map, with its text", () => {
    const code = moduleOf("(a, b) => {\n    a.x += b.x;\n    a.y += b.y;\n  }");
    const { map } = compile(code, "src/run.ts");

    expect(map.sources).toEqual(["src/run.ts"]);
    expect(map.sourcesContent).toEqual([code]);
  });

  it.each([false, true])("has a map that names places in the source only; kernels: %s", (kernels) => {
    const code = moduleOf("(a, b) => {\n    if (a.x > 2) return;\n    a.x += b.x;\n  }");
    const { code: made, map } = compile(code, "src/run.ts", { kernels });
    const lines = code.split("\n");

    const segments = decode(map.mappings).flat();

    expect(decode(map.mappings)).toHaveLength(made.split("\n").length);
    expect(segments.length).toBeGreaterThan(50);
    for (const [, source, line, column] of segments) {
      if (source === undefined) continue;
      expect(source).toBe(0);
      expect(line).toBeLessThan(lines.length);
      expect(column).toBeGreaterThanOrEqual(0);
      expect(column).toBeLessThanOrEqual(lines[line!]!.length);
    }
  });

  it("makes names that the module does not have", () => {
    const code = moduleOf("(a, b) => { const $_row = 1; a.x += $_row; }");

    expect(compile(code, "run.js").code).toContain("$__row");
  });

  it("is the source itself if there is nothing to compile", () => {
    const code = "export const none = 1;\n";

    expect(compile(code, "run.ts")).toMatchObject({ code, isChanged: false, report: [] });
  });

  it("has no marks in loops that write each row and call nothing", () => {
    expect(compile(moduleOf(BODY), "run.js").code).not.toContain("$_mark(");
    expect(
      compile(moduleOf("({ m }, b) => { const { m: n } = b; b.x = m[0] + n[1]; }"), "run.js").code,
    ).not.toContain("$_mark(");
    expect(compile(moduleOf("(a, b) => { a.x = f(b.x); }"), "run.js").code).toContain("$_mark(");
  });
});

describe("elements of array fields", () => {
  const loopOf = (callback: string): string => {
    const { code } = compile(moduleOf(callback), "run.js");
    return code.slice(code.lastIndexOf("export const run")).replace(callback, "");
  };

  it.each([
    ["by the field", "(a) => { a.m[0] = a.m[1]; }"],
    ["by a name in the parameters", "({ m }) => { m[0] = m[1]; }"],
    ["by a name of the callback", "(a) => { const { m } = a; m[0]++; const n = a.m; n[1] += m[0]; }"],
    [
      "by what loops count",
      "({ m }) => { const N = 3; for (let i = 0; i < N; i++) for (let j = 6; j >= i; j -= 2) m[i * N + j % 3] = 1; }",
    ],
    [
      "by their number",
      "({ m }, b) => { let i = 0; while (i < m.length) m[i++] += 1; b.m[Math.floor(m[0])] = 1; }",
    ],
  ])("are those of the column, %s", (_, callback) => {
    expect(loopOf(callback)).not.toContain("$_value(");
  });

  it("need no test for an index that is known", () => {
    expect(loopOf("({ m }) => { for (let i = 0; i < 9; i += 3) m[i + 2] = m[4 - 2]; }")).not.toContain(
      "$_key",
    );
    expect(loopOf("({ m }) => { for (let i = 0; i < 3; i++) m[i - 1] = 1; }")).toContain("$_key");
    expect(loopOf("({ m }) => { for (let i = 0; i < 3; i++) { m[i] = 1; i++; } }")).toContain("$_key");
    expect(loopOf("({ m }) => { let i = 0; for (; i < 3; i++); m[i] = 1; }")).toContain("$_key");
  });

  it("tell the runtime the highest index that is known", () => {
    expect(
      compile(moduleOf("({ m }) => { for (let i = 0; i < 9; i += 4) m[i + 1] = 1; }"), "run.js").code,
    ).toContain(`[[1, "m", ${4 | 32 | (9 << 8)}]]`);
  });

  it.each([
    ["(a) => { a.m[0] = 1; }", true],
    ["(a) => { a.m[0] += a.x; }", true],
    ["(a) => { a.m[0]++; }", true],
    ["(a) => { [a.m[1]] = [2]; }", true],
    ["(a) => { for (a.m[0] of [1, 2]); }", true],
    ["({ m }) => { m[0] = 1; }", true],
    ["({ m }) => { m.x = m[0]; f(m); }", true],
    ["(a) => { const { m } = a; total += m[0]; f(m); }", true],
    ["(a) => { total += a.m[0] + a.m[1]; }", false],
    ["({ m }) => { total += m[0] * m.length; }", false],
  ])("tell the runtime whether %s may write them", (callback, mayWrite) => {
    const { code } = compile(moduleOf(callback), "run.js");
    const bits = Number(/"m", (\d+)/.exec(code)![1]);

    expect((bits & 32) !== 0).toBe(mayWrite);
  });

  it("are compiled beside options too", () => {
    const { report } = compile(
      'import { each } from "@treeline/query"; each(q, (a) => { total += a.m[0]; }, { reads: [P] }); let total = 0;',
      "run.js",
    );
    expect(report[0]!.isCompiled).toBe(true);
  });

  it("make a subarray only for an index that may be no number, and for other uses of the name", () => {
    expect(loopOf("(a, b) => { const { m } = a; m[f()] = 1; }")).toContain("??= $_value(");
    expect(loopOf("(a, b) => { const { m } = a; m[0] = 1; f(m); }")).toContain("m = $_value(");
  });
});

describe("a test for being there", () => {
  it.each(["undefined", "void 0", "null"])("may compare with %s", (nothing) => {
    expect(isCompiled(moduleOf(`(a, b) => { a.x = b == ${nothing} ? 1 : b.x; }`))).toBe(true);
  });
});

describe("a variable around a callback is kept in the loop", () => {
  const inFunction = (callback: string, before = "let sum = 0;"): string =>
    `import { each } from "@treeline/query";\nexport const run = (query, k, n) => {\n  ${before}\n  each(query, ${callback});\n  return sum;\n};\n`;
  const isCarried = (code: string): boolean => compile(code, "run.js").code.includes("= sum; try {");

  it.each([
    ["that is added to", inFunction("(a) => { sum += a.x; }")],
    ["that counts", inFunction("(a) => { if (a.x > 1) sum++; }")],
    ["that is read and assigned", inFunction("({ x }) => { sum = Math.max(sum, x); }", "let sum;")],
    ["in an expression", inFunction("(a) => (sum -= a.x * k)")],
  ])("%s", (_, code) => {
    expect(isCarried(code)).toBe(true);
  });

  it.each([
    ["the callback calls what may read it", inFunction("(a) => { sum += a.x; k(); }")],
    ["a function in the callback reads it", inFunction("(a) => { sum += a.x; a.y = () => sum; }")],
    ["the callback only reads it", inFunction("(a) => { a.x += sum; }")],
    ["it is a parameter of the function", inFunction("(a) => { n += a.x; }")],
    [
      "it may have no value yet",
      inFunction("(a) => { sum += a.x; }", "").replace("return", "let sum = 0; return"),
    ],
    [
      "it is declared in a function around",
      inFunction("(a) => { sum += a.x; }").replace("let sum = 0;", "let sum = 0; const go = () =>"),
    ],
    [
      "it is declared in another case",
      inFunction("(a) => { sum += a.x; }", "switch (k) { case 0: let sum = 0; case 1:").replace(
        "return",
        "} return",
      ),
    ],
    ["it is in an index", inFunction("(a) => { a.m[sum] = 1; sum++; }")],
    ["a pattern assigns to it", inFunction("(a) => { ({ k: sum } = k); sum += a.x; }")],
    ["an object has its name", inFunction("(a) => { a.y = { sum }; sum += a.x; }")],
  ])("but not if %s", (_, code) => {
    expect(isCompiled(code)).toBe(true);
    expect(isCarried(code)).toBe(false);
  });
});

describe("a namespace or a decorator", () => {
  const around = (text: string): string =>
    `import { each } from "@treeline/query";\nlet lane = 0;\n${text}\nexport const run = (query) => { each(query, (a) => { a.m[lane] = 1; }); };\n`;

  it.each([
    ["namespace Lanes { export const choose = (n: any) => { lane = n; }; }"],
    ["namespace Lanes.Of.Roads { lane = read(); }"],
    ["class Lane { @input((n: any) => { lane = n; }) width = 1; }"],
    ["class Lane { choose(@input((n: any) => { lane = n; }) width: number) {} }"],
  ])("may assign to a name of the module: %s", (text) => {
    const known = "$_base0_m + (lane)";

    expect(compile(around(""), "run.ts").code).toContain(known);
    expect(compile(around(text), "run.ts").code).not.toContain(known);
  });

  it.each(["namespace N { export const lane = 1; }", "namespace N.M {}", "import N = Other.Names;"])(
    "is given to a kernel by its name: %s",
    (text) => {
      const code = around(text).replace("a.m[lane] = 1", "a.x = N.width");

      expect(compile(code, "run.ts", { kernels: true }).code).toContain("$_block, [N])");
    },
  );
});
