import { type BrowserPage, describePage, expectPicture, type Locator } from "@treeline/page-tests";
import { expect, it } from "vitest";
import { variedGlb } from "./files.ts";
import { largeGlb } from "./glb.ts";
import { here, roverBytes } from "./rover.ts";

const textOf = (page: BrowserPage, id: string): Promise<string | null> =>
  page.locator(`#${id}`).textContent();
const rowOf = (page: BrowserPage, name: string): Locator =>
  page.getByRole("treeitem", { name: new RegExp(`^[▸▾ ]*${name}\\b`) });

/** Waits until a file is shown, and all that has happened is drawn. */
async function drawn(page: BrowserPage, title = "Rover.glb"): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      document.querySelector("#title")!.textContent === wanted &&
      "frames" in document.body.dataset &&
      !("stale" in document.body.dataset),
    title,
  );
}

const fileOf = (name: string, buffer: Uint8Array) => ({
  name,
  mimeType: "application/octet-stream",
  buffer: Buffer.from(buffer),
});
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Drops files on the view, as the browser does it. */
async function dropFiles(
  page: BrowserPage,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Promise<void> {
  const texts = files.map(({ name, bytes }) => ({ name, text: Buffer.from(bytes).toString("base64") }));
  await page.evaluate((texts) => {
    const transfer = new DataTransfer();
    for (const { name, text } of texts)
      transfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
    const view = document.querySelector("canvas")!;
    for (const type of ["dragover", "drop"]) {
      view.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      if (type === "dragover") document.body.dataset.wasDropping = String(document.body.className);
    }
  }, texts);
}

describePage(here(""), (open) => {
  it("shows the sample, and selects in the tree what is clicked in the view", async () => {
    const page = await open();
    await drawn(page);
    expect(await textOf(page, "counts")).toBe("57 entities, 28 tables, 55 draw calls");
    await expectPicture(page, page.locator("canvas"), here("test/expected/rover.png"));

    const { x, y } = await page.evaluate(() => {
      const { clientWidth, clientHeight } = document.querySelector("canvas")!;
      return { x: clientWidth * 0.5, y: clientHeight * 0.5 };
    });
    await page.locator("canvas").click({ position: { x, y } });
    await drawn(page);

    expect(await textOf(page, "path")).toMatch(/^Rover::Body/);
    const name = (await textOf(page, "path"))!.split("::").at(-1)!;
    expect(await rowOf(page, name).getAttribute("aria-selected")).toBe("true");
  });

  it("is gone through by keys: arrows, Home, End, letters", async () => {
    const page = await open();
    await drawn(page);
    const pathAfter = async (...keys: string[]): Promise<string | null> => {
      for (const key of keys) await page.keyboard.press(key);
      await drawn(page);
      return textOf(page, "path");
    };
    await page.evaluate(() => document.querySelector<HTMLElement>("#outliner")!.focus());

    expect(await pathAfter("ArrowDown")).toBe("Rover::Body");
    expect(await pathAfter("ArrowRight", "ArrowRight")).toBe("Rover::Body::Deck");
    expect(await pathAfter("c")).toBe("Rover::Body::Cabin");
    expect(await pathAfter("ArrowRight", "ArrowDown")).toBe("Rover::Body::Cabin::Window");
    expect(await pathAfter("ArrowLeft", "ArrowLeft", "ArrowDown")).toBe("Rover::Body::Lamps");
    expect(await pathAfter("End")).toBe("Rover::Right rocker");
    expect(await pathAfter("Home")).toBe("Rover");
    const active = await page.locator("#outliner").getAttribute("aria-activedescendant");
    expect(await page.locator(`#${active}`).getAttribute("aria-selected")).toBe("true");
  });

  it("finds by patterns and parts of names, and says what is wrong with a pattern", async () => {
    const page = await open();
    await drawn(page);

    await page.locator("#find").fill("Rover::**::Wheel *");
    await drawn(page);
    expect(await textOf(page, "found")).toBe("6 entities");
    await page.getByRole("button", { name: "Rover::Right rocker::Strut back::Wheel back" }).click();
    await drawn(page);
    expect(await textOf(page, "path")).toBe("Rover::Right rocker::Strut back::Wheel back");
    expect(await rowOf(page, "Wheel back").getAttribute("aria-level")).toBe("4");

    await page.locator("#find").fill("finger");
    expect(await textOf(page, "found")).toBe("2 entities");
    await page.locator("#find").fill("Rover::");
    expect(await textOf(page, "found")).toMatch(/empty/);
    expect(await page.locator("#results").locator("li").count()).toBe(0);
  });

  it("moves, renames, moves in the tree and deletes what is selected", async () => {
    const page = await open();
    await drawn(page);
    await rowOf(page, "Left rocker").click();
    const height = page.getByRole("spinbutton", { name: "Position y" });
    await height.fill("2");
    await height.press("Enter");
    const name = page.getByRole("textbox", { name: "Name" });
    await name.fill("Body");
    await name.press("Enter");
    await drawn(page);
    expect(await page.getByRole("alert").textContent()).toMatch(/has a child named "Body"|taken|already/);

    await name.fill("Port side");
    await name.press("Enter");
    await drawn(page);
    expect(await textOf(page, "path")).toBe("Rover::Port side");

    await rowOf(page, "Port side").dragTo(rowOf(page, "Right rocker"));
    await drawn(page);
    expect(await textOf(page, "path")).toBe("Rover::Right rocker::Port side");
    await page.locator("#remove").click();
    await drawn(page);
    expect(await textOf(page, "path")).toBe("Rover::Right rocker");
    expect(await textOf(page, "counts")).toMatch(/^41 entities, /);
  });

  it("plays, pauses and scrubs animations", async () => {
    const page = await open();
    await drawn(page);

    await page.getByRole("combobox", { name: "Animation" }).press("ArrowDown");
    await page.locator("#play").click();
    await page.waitForFunction(() => {
      const [seconds] = document.querySelector("#seconds")!.textContent!.split(" ");
      return Number(seconds) > 0.2;
    });
    await page.locator("#play").click();
    await drawn(page);
    expect(await textOf(page, "seconds")).toMatch(/ of 4\.00 s$/);
    expect(await textOf(page, "play")).toBe("Play");

    await page.getByRole("slider", { name: "Time" }).press("Home");
    await drawn(page);
    expect(await textOf(page, "seconds")).toBe("0.00 of 4.00 s");
  });

  it("opens what is dropped or chosen, and keeps it when the next file is none", async () => {
    const page = await open();
    await drawn(page);

    await dropFiles(page, [{ name: "Varied.glb", bytes: variedGlb() }]);
    expect(await page.evaluate(() => document.body.dataset.wasDropping)).toBe("dropping");
    await drawn(page, "Varied.glb");
    expect(await textOf(page, "path")).toBe("Varied");

    const problemOf = async (
      files: { readonly name: string; readonly bytes: Uint8Array }[],
    ): Promise<string | null> => {
      await dropFiles(page, files);
      await page.waitForFunction(() => !document.querySelector<HTMLElement>("#problem")!.hidden);
      return textOf(page, "problem");
    };
    expect(await problemOf([{ name: "notes.txt", bytes: bytesOf("Hello") }])).toMatch(
      /^No \.glb or \.gltf file/,
    );
    expect(await problemOf([{ name: "Cut.glb", bytes: roverBytes().slice(0, 5_000) }])).toMatch(
      /^Cut\.glb is cut off/,
    );
    const json = { asset: { version: "2.0" }, buffers: [{ uri: "ship%201.bin", byteLength: 36 }] };
    const scene = { name: "Ship.gltf", bytes: bytesOf(JSON.stringify(json)) };
    expect(await problemOf([scene])).toBe(
      "Ship.gltf needs files that are missing: ship%201.bin. Give them together with it.",
    );
    expect(await textOf(page, "title")).toBe("Varied.glb");

    const whole = {
      ...json,
      scenes: [{ nodes: [0] }],
      nodes: [{ name: "Hull", mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] },
      ],
      bufferViews: [{ buffer: 0, byteLength: 36 }],
    };
    const corners = new Uint8Array(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);
    await page
      .locator("#files")
      .setInputFiles([fileOf("Ship.gltf", bytesOf(JSON.stringify(whole))), fileOf("ship 1.bin", corners)]);
    await drawn(page, "Ship.gltf");
    expect(await textOf(page, "counts")).toMatch(/^2 entities/);
    expect(await page.evaluate(() => document.querySelector<HTMLElement>("#problem")!.hidden)).toBe(true);
  });

  it("draws while a large file is read, and has rows only for what is in sight of it", async () => {
    const page = await open();
    await drawn(page);

    await page.evaluate(() => {
      let frames = 0;
      const count = (): void => {
        frames += 1;
        document.body.dataset.meanwhile = String(frames);
        if (document.querySelector("#title")!.textContent === "Rover.glb") requestAnimationFrame(count);
      };
      document.querySelector("#files")!.addEventListener("change", count);
    });
    await page.locator("#files").setInputFiles([fileOf("Large.glb", largeGlb(5_000, 2_000_000))]);
    await drawn(page, "Large.glb");

    expect(Number(await page.evaluate(() => document.body.dataset.meanwhile))).toBeGreaterThan(5);
    expect(await textOf(page, "counts")).toMatch(/^5,001 entities/);
    await page.locator("#find").fill("Node 4??7");
    await drawn(page, "Large.glb");
    await page.evaluate(() => document.querySelector<HTMLElement>("#outliner")!.focus());
    await page.keyboard.press("End");
    await drawn(page, "Large.glb");
    expect(await page.getByRole("treeitem").count()).toBeLessThan(30);
    expect(await textOf(page, "path")).toMatch(/^Large::/);
  });
});
