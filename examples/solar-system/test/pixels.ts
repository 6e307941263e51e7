import type { BrowserPage } from "@treeline/page-tests";

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where a picture is orange, as the tug is. The page decodes it. */
export function boxOfOrange(page: BrowserPage, png: Uint8Array): Promise<Box> {
  const url = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  return page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { width, height } = image;
    const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d")!;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const box = { left: width, right: 0, top: height, bottom: 0 };
    for (let at = 0; at < width * height; at++) {
      const [red, green, blue] = data.slice(at * 4, at * 4 + 3);
      if (red! < 120 || red! < green! * 1.4 || green! < blue! * 1.4) continue;
      const [x, y] = [at % width, Math.floor(at / width)];
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
    return box;
  }, url);
}
