/** The modules that a program imports, as texts: a sandboxed frame has no origin, so many servers would not give them to it. */
import { init, parse } from "es-module-lexer/minimal";

export interface FrameModules {
  /** What programs write, to the address of the module. */
  readonly imports: Readonly<Record<string, string>>;
  /** Address to text. Imports of neighbours are written as whole addresses. */
  readonly texts: Readonly<Record<string, string>>;
}

interface Loaded {
  readonly text: string;
  readonly imports: readonly string[];
}

/** The modules that this page has loaded, by address. */
const loaded = new Map<string, Promise<Loaded>>();

/** The import map of the site as JSON; Vite replaces the name. */
declare const IMPORT_MAP: string;

/** What a text imports, with the place of each specifier: without its quotes in statements, with them in calls of `import`. */
function importsIn(text: string): { name: string; from: number; to: number; isQuoted: boolean }[] {
  return parse(text)[0].flatMap(({ n: name, s: from, e: to, d: dynamic }) =>
    name === undefined ? [] : [{ name, from, to, isQuoted: dynamic > -1 }],
  );
}

async function load(address: string): Promise<Loaded> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} could not be loaded (${response.status})`);
  const text = await response.text();
  let rewritten = "";
  let at = 0;
  const imports: string[] = [];
  for (const { name, from, to, isQuoted } of importsIn(text)) {
    const target = name.startsWith(".") ? new URL(name, address).href : name;
    imports.push(target);
    rewritten += text.slice(at, from) + (isQuoted ? JSON.stringify(target) : target);
    at = to;
  }
  return { text: rewritten + text.slice(at), imports };
}

/**
 * Everything that a program imports, and what that imports in turn.
 *
 * @param more what to load as well if the program imports anything of Treeline.
 * @throws Error with a list of what there is, if the program imports something else.
 */
export async function modulesOf(program: string, more: readonly string[]): Promise<FrameModules> {
  await init();
  const map = (JSON.parse(IMPORT_MAP) as { imports: Record<string, string> }).imports;
  const names = importsIn(program).map(({ name }) => name);
  const unknown = names.find((name) => map[name] === undefined);
  if (unknown !== undefined) {
    const known = Object.keys(map).filter((name) => /^(?:treeline|three)/.test(name));
    throw new Error(`there is no module "${unknown}" here. A program can import ${known.join(", ")}`);
  }
  if (names.some((name) => name.includes("treeline"))) names.push(...more);

  const texts: Record<string, string> = {};
  const imports: Record<string, string> = {};
  const collect = async (name: string): Promise<void> => {
    const path = map[name];
    const address = path === undefined ? name : new URL(path, location.href).href;
    if (path !== undefined) imports[name] = address;
    if (texts[address] !== undefined) return;
    texts[address] = ""; // it is being loaded
    if (!loaded.has(address)) loaded.set(address, load(address));
    try {
      const { text, imports: inner } = await loaded.get(address)!;
      texts[address] = text;
      await Promise.all(inner.map(collect));
    } catch (error) {
      loaded.delete(address); // the next run tries again
      throw error;
    }
  };
  await Promise.all(names.map(collect));
  return { imports, texts };
}

/** The names that a module exports, also by `export *` of others. */
export async function exportsOf(name: string): Promise<readonly string[]> {
  const { imports, texts } = await modulesOf(`import ${JSON.stringify(name)}`, []);
  const found = new Set<string>();
  const seen = new Set<string>();
  const collect = (address: string): void => {
    if (seen.has(address)) return;
    seen.add(address);
    const text = texts[address]!;
    const [inner, exports] = parse(text);
    for (const { n } of exports) found.add(n);
    for (const { n, ss, se } of inner) {
      if (n !== undefined && /^export\s*\*/.test(text.slice(ss, se))) collect(imports[n] ?? n);
    }
  };
  collect(imports[name]!);
  return [...found].sort();
}
