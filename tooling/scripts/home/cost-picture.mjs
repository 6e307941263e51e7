// Draws what a loop costs while its children have more and more parents: one line for each contestant, both scales logarithmic.

/** Two drawings of the same data, in pixels: pages show the one for which there is room. */
const SIZES = {
  wide: { width: 600, height: 390, left: 54, right: 142, top: 12, bottom: 44, text: 13 },
  narrow: { width: 340, height: 320, left: 46, right: 112, top: 10, bottom: 42, text: 12 },
};

/** Nanoseconds; the least and the most that have room. */
const LEAST = 0.15;
const MOST = 130;
const LINES_AT = [1, 10, 100];

/** Labels at the ends of lines are at least so many pixels apart. */
const LABEL = 16;

/** Two digits, or three from 100 on. */
export function shortTime(time) {
  return time >= 10 ? Math.round(time).toLocaleString("en") : String(Number(time.toPrecision(2)));
}

const round = (number) => Math.round(number * 10) / 10;
const shortCount = (count) => (count >= 1_000 ? `${count / 1_000}k` : String(count));

/** Moves heights apart, from the top down, then those that left the picture back up. */
function apart(heights, bottom) {
  const places = heights
    .map((height, at) => ({ at, height }))
    .sort((one, other) => one.height - other.height);
  for (let at = 1; at < places.length; at++) {
    places[at].height = Math.max(places[at].height, places[at - 1].height + LABEL);
  }
  for (let at = places.length - 1, most = bottom; at >= 0; at--, most -= LABEL) {
    places[at].height = Math.min(places[at].height, most);
  }
  const result = [];
  for (const { at, height } of places) result[at] = height;
  return result;
}

/** How a line is drawn: ours, those that split by parent, and the others. */
function kindOf({ isOwn, splits, isDashed }) {
  return `${isOwn ? "is-own" : splits ? "is-split" : "is-other"}${isDashed ? " is-dashed" : ""}`;
}

function draw({ parents, lines }, name, description) {
  const { width, height, left, right, top, bottom, text } = SIZES[name];
  const last = Math.log10(parents.at(-1));
  const xOf = (count) => round(left + (Math.log10(count) / last) * (width - left - right));
  const part = (time) => Math.log(time / LEAST) / Math.log(MOST / LEAST);
  const yOf = (time) => {
    if (time < LEAST || time > MOST) throw new Error(`home: ${time} ns is outside the picture of costs`);
    return round(height - bottom - part(time) * (height - bottom - top));
  };

  const end = width - right;
  const scale = LINES_AT.map(
    (time) =>
      `<path class="grid" d="M${left} ${yOf(time)}H${end}"/><text class="tick" x="${left - 7}" y="${yOf(time) + 4}" text-anchor="end">${time} ns</text>`,
  );
  const counts = parents.map((count) => {
    const shown = name === "wide" ? count.toLocaleString("en") : shortCount(count);
    return `<text class="tick" x="${xOf(count)}" y="${height - bottom + 20}" text-anchor="middle">${shown}</text>`;
  });
  const labels = apart(
    lines.map(({ times }) => yOf(times.at(-1))),
    height - bottom,
  );
  // Ours last, so that it is on top.
  const drawn = lines.map((line, at) => {
    const points = line.times.map((time, place) => `${xOf(parents[place])} ${yOf(time)}`);
    const dots =
      line.isOwn && !line.isDashed ? points.map((point) => `<path class="dot" d="M${point}h0"/>`) : [];
    return `<g class="${kindOf(line)}"><path class="line" d="M${points.join("L")}"/>${dots.join("")}<text class="label" x="${end + 10}" y="${round(labels[at] + 4)}">${line.label} <tspan class="value">${shortTime(line.times.at(-1))}</tspan></text></g>`;
  });
  const order = lines
    .map((_, at) => at)
    .sort((one, other) => Number(lines[one].isOwn ?? 0) - Number(lines[other].isOwn ?? 0));
  const title = `<text class="axis" x="${left}" y="${height - 4}">parents of the same 100,000 children</text>`;
  return `<svg class="cost-picture is-${name}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-size="${text}" role="img" aria-label="${description}">${scale.join("")}${counts.join("")}${title}${order.map((at) => drawn[at]).join("")}</svg>`;
}

/** What the picture says, for who cannot see it. */
function descriptionOf({ parents, lines }) {
  const each = lines.map(
    ({ label, how, times }) =>
      `${label.replace("*", "")}${how === undefined ? "" : `, ${how},`} from ${shortTime(times[0])} to ${shortTime(times.at(-1))}`,
  );
  return `Nanoseconds for each child, with 1 parent and with ${parents.at(-1).toLocaleString("en")}: ${each.join("; ")}.`;
}

/** @returns the picture as SVG, for wide and for narrow places. Its colours are classes of theme/home/figures.css. */
export function drawCost(cost) {
  const description = descriptionOf(cost);
  return draw(cost, "wide", description) + draw(cost, "narrow", description);
}
