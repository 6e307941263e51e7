// Draws charts from their descriptions: ECharts makes SVG, once for light pages and once for dark ones.

const FONT = "-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif";

/** Blue and orange differ for readers with any colour vision; grey marks the background, with its name beside it. */
export const THEMES = {
  light: {
    text: "#1f2328",
    muted: "#59636e",
    faint: "#dfe4e9",
    other: "#818b98",
    ours: "#0550ae",
    ours2: "#218bff",
    hand: "#bc4c00",
    native: "#1f2328",
    page: "#ffffff",
  },
  dark: {
    text: "#f0f6fc",
    muted: "#9198a1",
    faint: "#2a3038",
    other: "#818b98",
    ours: "#79c0ff",
    ours2: "#388bfd",
    hand: "#f0883e",
    native: "#f0f6fc",
    page: "#0d1117",
  },
};

export const fontOf = (size, weight = "normal") => `${weight} ${size}px ${FONT}`;

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Removes ids and pointer rules, which only a live chart needs; adds a title, and the font once. */
function staticSvg(svg, title) {
  return svg
    .replace(/<style[\s\S]*?<\/style>\n?/, "")
    .replace(/ class="[^"]*"| pointer-events="\w*"| (?:xml:space|baseProfile|xmlns:xlink)="[^"]*"/g, "")
    .replaceAll(`;font-family:${FONT}`, "")
    .replaceAll(`font-family:${FONT};`, "")
    .replace(/<svg ([^>]*)>/, `<svg font-family="${FONT}" $1>\n<title>${escaped(title)}</title>`);
}

/** @param describe theme -> { width, height, option } @returns { light, dark } */
export function draw(echarts, title, describe) {
  const drawIn = (name) => {
    const { width, height, option } = describe(THEMES[name]);
    const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
    chart.setOption({ animation: false, textStyle: { fontFamily: FONT }, ...option });
    const svg = chart.renderToSVGString();
    chart.dispose();
    return `${staticSvg(svg, title)}\n`;
  };
  return { light: drawIn("light"), dark: drawIn("dark") };
}

/** The style of a contestant, by kind: Treeline is emphasised. `isSecond` marks the other one of its storages. */
export function looksOf(theme, { kind, isSecond = false }) {
  if (kind === "ours") {
    return isSecond
      ? { color: theme.ours2, width: 3, symbol: "diamond", size: 9, weight: "bold" }
      : { color: theme.ours, width: 3, symbol: "circle", size: 8, weight: "bold" };
  }
  if (kind === "hand") return { color: theme.hand, width: 1.5, symbol: "rect", size: 6, weight: "normal" };
  if (kind === "native")
    return {
      color: theme.native,
      width: 1.5,
      symbol: "triangle",
      size: 8,
      weight: "normal",
      isDashed: true,
      isHollow: true,
    };
  return { color: theme.other, width: 1.5, symbol: "circle", size: 5, weight: "normal" };
}
