// Warnings of development builds (`warn`), and what the program does with them (`onWarning`).

type Warn = (text: string) => void;

const toConsole: Warn = (text) => (globalThis as { console?: { warn: Warn } }).console?.warn(text);

let current = toConsole;

/** Tells the program about a likely mistake that is no error. Call it only behind the CHECK label. */
export function warn(text: string): void {
  current(text);
}

/**
 * Warns if a function returned a promise: what it does after its first `await` happens after the verb. Call it only behind the
 * CHECK label.
 */
export function warnOfPromise(verb: string, returned: unknown): void {
  if (!(returned instanceof Promise)) return;
  warn(
    `${verb} got a function that returned a promise: what it does after its first await happens after the ${verb}; ` +
      "await first, and pass a function that does not",
  );
}

/**
 * Replaces what development builds do with a warning, a text about a likely mistake that is no error: they print it with
 * `console.warn`. `undefined` restores that; a function that does nothing silences warnings, one that throws makes them errors.
 * Each warning comes once per query and component, not once per frame. Production builds give no warnings.
 *
 * @example
 * onWarning((text) => log.push(text));
 */
export function onWarning(call: ((text: string) => void) | undefined): void {
  current = call ?? toConsole;
}
