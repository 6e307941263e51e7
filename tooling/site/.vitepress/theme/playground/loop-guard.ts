/** Ends loops that never pause: no button can, since a page shares one thread with its frames. */
import { typescriptLanguage } from "@codemirror/lang-javascript";

/** How long the loops of a program may run at a stretch, in milliseconds. */
export const LONGEST_TURN = 5_000;

/** Of the function that each turn of a loop calls. */
const NAME = "treelineTurn";
const LOOPS = /^(?:For|While|Do)Statement$/;

/**
 * A program whose loops call `turnOfLoop` in each turn; lines stay where they are. A program that the parser does not understand stays as it is.
 */
export function withLoopGuard(program: string): string {
  const inserted: (readonly [at: number, text: string])[] = [];
  let isUnderstood = true;
  typescriptLanguage.parser.parse(program).iterate({
    enter: ({ node, type }) => {
      if (type.isError) isUnderstood = false;
      if (!LOOPS.test(type.name)) return;
      const body = type.name === "DoStatement" ? node.firstChild?.nextSibling : node.lastChild;
      if (body === null || body === undefined) return;
      if (body.name === "Block") inserted.push([body.from + 1, `${NAME}();`]);
      else inserted.push([body.from, `{${NAME}();`], [body.to, "}"]);
    },
  });
  if (!isUnderstood) return program;
  // At one place, inner ends come before outer ones; starts are sorted the other way by their order of entering.
  inserted.sort(([one], [other]) => one - other);
  let guarded = "";
  let from = 0;
  for (const [at, text] of inserted) {
    guarded += program.slice(from, at) + text;
    from = at;
  }
  return guarded + program.slice(from);
}

/** Runs in the frame, before the program: defines the function. Its text is used, so it uses nothing from outside. */
export function installLoopGuard(name: string, longest: number): void {
  const later = setTimeout.bind(window); // not counted as one of the program
  let turns = 0;
  let end = 0;
  const turn = (): void => {
    turns += 1;
    if ((turns & 255) !== 0) return;
    const now = performance.now();
    if (end === 0) {
      end = now + longest;
      later(() => {
        end = 0; // the loops have paused
      });
    } else if (now > end) {
      throw new Error(
        `a loop has run for ${longest / 1000} s without a pause, so the playground ended it. Let it wait now and then, for example for requestAnimationFrame`,
      );
    }
  };
  Object.assign(globalThis, { [name]: turn });
}

/** The script that defines the function in a frame. */
export const GUARD_SCRIPT = `(${installLoopGuard})(${JSON.stringify(NAME)}, ${LONGEST_TURN});`;
