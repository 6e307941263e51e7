/** How much of a text messages show. */
const SHOWN = 40;

/** A value as messages show it. Never calls into it: it may be anything. */
export function shown(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `the text ${JSON.stringify(shortened(value))}`;
    case "number":
    case "boolean":
    case "undefined":
      return String(value);
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "a list" : "an object";
    default:
      return `a ${typeof value}`;
  }
}

export function shortened(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}...`;
}
