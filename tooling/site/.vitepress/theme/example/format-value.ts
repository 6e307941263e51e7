// How the values look that a program prints (`formatValue`).

/** A value nearly as Node prints it. Its text is also run in frames, so it uses nothing from outside. */
export function formatValue(value: unknown): string {
  const keyOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`);
  const format = (value: unknown, depth: number): string => {
    if (typeof value === "string") return depth === 0 ? value : `'${value}'`;
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value === "function")
      return value.name === "" ? "[Function (anonymous)]" : `[Function: ${value.name}]`;
    if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
    if (value instanceof Error)
      return value.stack?.includes(value.message) ? `${value}` : `${value.name}: ${value.message}`;
    if (depth > 2) return Array.isArray(value) ? "[Array]" : "[Object]"; // ends cycles, too
    const inside = (one: unknown): string => format(one, depth + 1);
    const listed = (list: readonly unknown[]): string => {
      const words = list.slice(0, 100).map(inside);
      if (list.length > 100) words.push(`... ${list.length - 100} more items`);
      return words.length === 0 ? "[]" : `[ ${words.join(", ")} ]`;
    };
    if (Array.isArray(value)) return listed(value);
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
      const list = [...(value as Float32Array)];
      return `${value.constructor.name}(${list.length}) ${listed(list)}`;
    }
    if (value instanceof Map) {
      return `Map(${value.size}) {${[...value].map(([key, one]) => ` ${inside(key)} => ${inside(one)}`).join(",")} }`;
    }
    if (value instanceof Set) return `Set(${value.size}) { ${[...value].map(inside).join(", ")} }`;
    const entries = Object.entries(value);
    return entries.length === 0
      ? "{}"
      : `{ ${entries.map(([key, one]) => `${keyOf(key)}: ${inside(one)}`).join(", ")} }`;
  };
  return format(value, 0);
}
