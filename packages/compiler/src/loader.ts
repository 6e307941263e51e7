// Hooks of Node's module loader (`load`).
import { compile } from "./module/compile.ts";

/*
 * Hooks of Node's module loader, registered by `register.ts`. They run in a thread of their own.
 */

interface Loaded {
  readonly format: string;
  readonly source?: string | ArrayBuffer | Uint8Array | null;
  readonly shortCircuit?: boolean;
}

/** Compiles what is loaded from files outside of `node_modules`, after other loaders have read it. */
export async function load(
  url: string,
  context: object,
  next: (url: string, context: object) => Promise<Loaded>,
): Promise<Loaded> {
  const loaded = await next(url, context);
  const { format, source } = loaded;
  const isFile = url.startsWith("file:") && !url.includes("/node_modules/");
  if (!isFile || source === undefined || source === null || !/^module(-typescript)?$/.test(format))
    return loaded;
  const code = typeof source === "string" ? source : new TextDecoder().decode(source);
  const id = new URL(url).pathname;
  const {
    code: text,
    map,
    isChanged,
  } = compile(code, format === "module" ? id.replace(/\.[^.]*$/, ".js") : id);
  if (!isChanged) return loaded;
  const inline = Buffer.from(JSON.stringify({ ...map, sources: [url] })).toString("base64");
  return { ...loaded, source: `${text}\n//# sourceMappingURL=data:application/json;base64,${inline}\n` };
}
