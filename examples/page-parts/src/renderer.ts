// A renderer for a canvas (`createRenderer`), and what a page says without WebGL (`NO_WEBGL`).
import { WebGLRenderer, type WebGLRendererParameters } from "three";

const NO_WEBGL =
  "This page needs WebGL 2, which this browser does not offer. It may be switched off in the settings, or the graphics driver may be blocked.";

/**
 * A renderer for a canvas. Without WebGL the page says so in words, in place of all else.
 *
 * @throws the error of three.js, so that the page ends there.
 */
export function createRenderer(
  canvas: HTMLCanvasElement,
  parameters?: WebGLRendererParameters,
): WebGLRenderer {
  try {
    return new WebGLRenderer({ ...parameters, canvas });
  } catch (error) {
    const words = document.createElement("p");
    words.role = "alert";
    words.style.cssText =
      "margin: auto; padding: 2em; max-width: 34em; grid-column: 1 / -1; white-space: normal";
    words.textContent = NO_WEBGL;
    document.body.replaceChildren(words);
    throw error;
  }
}
