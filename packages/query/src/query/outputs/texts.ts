// Hands out copies of a source text, one for each user as long as there are enough (`Texts`).

/**
 * JIT compilers collect what they know about a function by its source text: a loop that calls all callbacks of a program knows none
 * of them, and calls each for each row. So such a loop stands in the source many times, and its users take texts of their own, as
 * long as there are enough. It only affects speed, and counts for the process, as compilers do.
 */
export class Texts<Text> {
  /** Calls are put off until a text is needed: only then the list is compiled. */
  private readonly list: () => readonly Text[];
  private made: readonly Text[] | undefined = undefined;
  /** By text: how many have it. */
  private readonly users: number[] = [];

  constructor(list: () => readonly Text[]) {
    this.list = list;
  }

  /** A text for those that do not tell when they do not need it any more. */
  get common(): Text {
    return (this.made ??= this.list()).at(-1)!;
  }

  /** The first of those that the fewest have. */
  take(): Text {
    const { users } = this;
    const made = (this.made ??= this.list());
    let least = 0;
    for (let at = 0; at < made.length - 1; at++) if ((users[at] ??= 0) < users[least]!) least = at;
    users[least]!++;
    return made[least]!;
  }

  /** Is there a text that has no user? */
  get hasUnused(): boolean {
    return this.made === undefined || !(this.users[this.made.length - 2]! > 0);
  }

  /** One user less. */
  giveBack(text: Text): void {
    this.users[this.made!.indexOf(text)]!--; // that of the common one is not read
  }
}
