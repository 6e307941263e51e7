// What links of the playground promise.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { programFolder } from "../programs.ts";
import { readDocument } from "../support.ts";

/** The file of the site, which is no package that tests can import. */
const SOURCE = "tooling/site/.vitepress/theme/playground/share-link.ts";

interface ShareLink {
  readonly LinkError: new () => Error;
  readonly LONGEST_LINK: number;
  fragmentOf(program: string, canCompress?: boolean): Promise<string>;
  programOfFragment(fragment: string): Promise<string | undefined>;
}

const folder = programFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "share-link.js");
writeFileSync(file, (await transform(readDocument(SOURCE), { loader: "ts", target: "es2023" })).code);
const { fragmentOf, LinkError, LONGEST_LINK, programOfFragment }: ShareLink = await import(
  /* @vite-ignore */ pathToFileURL(file).href
);

const program = 'console.log("Grüße, 木, 🌲"); // `x` & <b>\n';

describe("a link of the playground", () => {
  it.each([true, false])("brings a program back as it was (compressed: %s)", async (canCompress) => {
    const fragment = await fragmentOf(program, canCompress);

    expect(fragment).toMatch(/^#code=[zt]\.[\w-]+$/);
    expect(await programOfFragment(fragment)).toBe(program);
  });

  it("is short for programs that repeat themselves", async () => {
    const long = program.repeat(5_000);
    const fragment = await fragmentOf(long);

    expect(fragment.length).toBeLessThan(2_000);
    expect(await programOfFragment(fragment)).toBe(long);
  });

  it("is refused if it would be cut on its way", async () => {
    const random = Array.from({ length: 4_000 }, (_, at) => Math.sin(at)).join("\n");

    await expect(fragmentOf(random)).rejects.toThrow(/too long for a link: .* at most 16,000/);
    expect(LONGEST_LINK).toBe(16_000);
  });

  it("is no program if it has none", async () => {
    expect(await programOfFragment("")).toBeUndefined();
    expect(await programOfFragment("#start=tree")).toBeUndefined();
  });

  it("says that it is damaged, wherever it is cut or changed", async () => {
    const fragment = await fragmentOf(program);
    const damaged = [
      fragment.slice(0, -3),
      fragment.slice(0, 12),
      `${fragment}!`,
      "#code=z.AAAA",
      "#code=t._w",
    ];
    for (let at = 9; at < fragment.length - 1; at++)
      damaged.push(fragment.slice(0, at) + (fragment[at] === "A" ? "B" : "A") + fragment.slice(at + 1));

    for (const one of damaged) await expect(programOfFragment(one)).rejects.toThrow(LinkError);
  });

  it("does not grow into a text that fills the memory", async () => {
    const bomb = await fragmentOf("a".repeat(2_000_000));

    expect(bomb.length).toBeLessThan(4_000);
    await expect(programOfFragment(bomb)).rejects.toThrow("too long");
  });
});
