/*
 * Random callbacks for two outputs. They are made of expressions and statements over fields, locals, the surroundings and calls, and
 * always end.
 */

/** Whole numbers below `below`, always the same for a seed. */
export function diceOf(seed: number): (below: number) => number {
  let state = (seed + 1) * 2654435761;
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917;
    state ^= state >>> 13;
    return (state >>> 0) % below;
  };
}

export function randomCallback(seed: number): string {
  return new Writer(diceOf(seed)).callback();
}

class Writer {
  private readonly roll: (below: number) => number;
  private locals = 0;
  private loops = 0;
  private hasCalls = false;
  private destructured = false;
  /** `list` is a local name of an `array` field. */
  private hasAlias = false;
  /** Loops that have ended. */
  private outer = 0;

  constructor(roll: (below: number) => number) {
    this.roll = roll;
  }

  private pick<One>(...of: readonly One[]): One {
    return of[this.roll(of.length)]!;
  }

  callback(): string {
    this.hasCalls = this.roll(2) === 0;
    this.destructured = this.roll(6) === 0;
    this.hasAlias = this.roll(2) === 0;
    const first = this.destructured ? `{ x, y: other${this.hasAlias ? ", m: list" : ""} }` : "a";
    const parameters = this.roll(3) === 0 ? `${first}, b, entity` : `${first}, b`;
    const usesEntity = parameters.endsWith("entity");
    const body = Array.from({ length: 1 + this.roll(4) }, () => this.statement(2));
    if (this.hasAlias && !this.destructured)
      body.unshift(this.pick("const { m: list } = a;", "const list = a.m;", "let { x, m: list } = a;"));
    if (this.hasAlias && this.hasCalls)
      body.push(this.pick("", "", "log(list);", "log(list.length);", "log(list[0], list[1], list[2]);"));
    if (usesEntity)
      body.push(
        this.pick("log(idOf(entity));", "if (total > 3) add(world, entity, Enemy);", "log(entity === kept);"),
      );
    return `(${parameters}) => { ${body.join(this.pick(" ", "\n"))} }`;
  }

  private field(): string {
    const name = this.destructured ? "b" : this.pick("a", "b");
    return `${name}.${this.pick("x", "x", "y")}`;
  }

  private element(): string {
    const name = this.destructured ? "b" : this.pick("a", "b");
    const list = this.hasAlias && this.roll(3) > 0 ? "list" : `${name}.m`;
    return `${list}[${this.index()}]`;
  }

  /** Mostly one of three numbers, and else all that an index may be. */
  private index(): string {
    const counter = this.loops > this.outer ? `i${this.loops - 1}` : "1";
    return this.pick(
      ...["0", "1", "2", "Math.floor(dt * 5)", "3", counter, counter, `${counter} + 1`, `2 - ${counter}`],
      ...[
        "table[0] - 4",
        "table[total & 3]",
        "total",
        "total % 3",
        "-1",
        "0.5",
        "NaN",
        "-0",
        "1e-17",
        "2 ** 32",
      ],
      ...['"1"', '"foo"', '"length"', "true", "undefined", "[2]", "{ valueOf: () => 1, toString: () => 2 }"],
      this.hasCalls ? "log(1)" : "dt * 4",
      this.hasCalls ? "{ toString: () => String(log(2)) }" : "clock.step * 2",
    );
  }

  /** What is written to an element. */
  private elementWrite(depth: number): string {
    const operator = this.pick("=", "=", "+=", "*=", "??=", "||=");
    const odd = this.pick('"7"', "true", "undefined", "{ valueOf: () => 3 }", "300.7", "-1", "1e20");
    if (this.roll(4) === 0) return this.pick(`${this.element()}++`, `--${this.element()}`);
    return `${this.element()} ${operator} ${this.roll(4) === 0 ? odd : this.value(depth)}`;
  }

  private value(depth: number): string {
    const inner = (): string => this.value(depth - 1);
    const simple = [
      () => this.field(),
      () => this.field(),
      () => String(this.roll(9) - 2),
      () => "0.5",
      () => "dt",
      () => "clock.step",
      () => "total",
      () => (this.locals > 0 ? `local${this.roll(this.locals)}` : "table[1]"),
      () => (this.destructured ? this.pick("x", "other") : this.field()),
      () => "b?.x",
      () => "(b?.y ?? 2)",
    ];
    const complex = [
      () => `(${inner()} ${this.pick("+", "-", "*", "/", "%", "|", "&", ">>")} ${inner()})`,
      () => `(${this.test(depth - 1)} ? ${inner()} : ${inner()})`,
      () => `Math.${this.pick("abs", "floor", "sign")}(${inner()})`,
      () => `Math.${this.pick("max", "min")}(${inner()}, ${inner()})`,
      () => `-${this.field()}`,
      () => this.element(),
      () => (this.hasCalls ? `log(${inner()})` : inner()),
      () => `(${this.write(depth - 1)})`,
      () => (this.roll(4) === 0 ? this.update() : inner()),
    ];
    return (depth <= 0 ? this.pick(...simple) : this.pick(...simple, ...complex, ...complex))();
  }

  private test(depth: number): string {
    const inner = (): string => this.value(depth - 1);
    return this.pick(
      () => `${inner()} ${this.pick("<", ">", "<=", "===", "!==")} ${inner()}`,
      () => this.field(),
      () => `!${this.field()}`,
      () => `${this.field()} && ${this.field()}`,
      () => this.pick("b", "!b", "b !== undefined", "b == null"),
      () => `b && ${this.field()} > 1`,
    )();
  }

  private update(): string {
    return this.pick(`${this.field()}++`, `--${this.field()}`);
  }

  private write(depth: number): string {
    const operator = this.pick("=", "=", "=", "+=", "-=", "*=", "||=", "&&=", "??=", "|=");
    if (this.roll(this.hasAlias ? 2 : 8) === 0) return this.elementWrite(depth);
    return `${this.field()} ${operator} ${this.roll(6) === 0 ? this.pick("true", "!b", `!${this.field()}`) : this.value(depth)}`;
  }

  private statement(depth: number): string {
    const inner = (): string => this.statement(depth - 1);
    const simple = [
      () => `${this.write(2)};`,
      () => `${this.write(2)};`,
      () => `${this.write(1)};`,
      () => `${this.update()};`,
      () => `total += ${this.value(2)};`,
      () => {
        const value = this.value(2);
        return `let local${this.locals++} = ${value};`;
      },
      () => (this.hasCalls ? `log(${this.value(1)}, ${this.value(1)});` : `${this.write(1)};`),
    ];
    const complex = [
      () => `if (${this.test(2)}) ${this.pick("return;", `return ${this.value(1)};`, this.block(inner))}`,
      () => `if (${this.test(2)}) ${this.block(inner)} else ${this.block(inner)}`,
      () => {
        const i = `i${this.loops++}`;
        const head = this.pick(`0; ${i} < 3; ${i}++`, `2; ${i} >= 0; --${i}`, `-1; ${i} <= 3; ${i} += 2`);
        const body = this.block(
          () =>
            `${this.pick("", `if (${this.test(1)}) ${this.pick("break", "continue", "return")};`)} ${inner()}`,
        );
        this.outer = this.loops;
        return `for (let ${i} = ${head}) ${body}`;
      },
      () =>
        `try ${this.block(inner)} catch (error) ${this.block(() => (this.hasCalls ? "log(String(error));" : inner()))}`,
      () => `if (total > 40) throw new Error("far " + ${this.field()});`,
      () => {
        return `if (b) ${this.block(() => `b.${this.pick("x", "y")} ${this.pick("=", "+=")} ${this.value(1)};`)}`;
      },
      () => `if (b === undefined) ${this.pick("return;", this.block(inner))}`,
    ];
    return (depth <= 0 ? this.pick(...simple) : this.pick(...simple, ...simple, ...complex))();
  }

  /** Locals in a block are not seen after it. */
  private block(inside: () => string): string {
    const { locals } = this;
    const text = inside();
    this.locals = locals;
    return `{ ${text} }`;
  }
}
