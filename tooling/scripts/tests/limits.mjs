// How long tests, hooks, pages and programs may take before they count as hung (`HUNG`): the only place for it.

/**
 * How long a test, a hook, a page or a program may take before it counts as hung, in milliseconds. All of them go on as soon as what they
 * wait for is there, so only what hangs takes so long, and a machine that is a hundred times slower than usual fails nothing.
 */
export const HUNG = 15 * 60_000;
