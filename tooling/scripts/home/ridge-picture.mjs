// Draws the line of trees on a mountain that the home page begins with. The same at every build.

const WIDTH = 2400;
const HEIGHT = 320;

/** Numbers between 0 and 1, the same ones for the same seed. */
function numbersFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A ridge as the sum of waves: height above the bottom at a place from 0 to 1. */
const ridge = (base, waves) => (place) =>
  waves.reduce(
    (sum, [size, count, shift]) => sum + size * Math.sin((place * count + shift) * 2 * Math.PI),
    base,
  );

/** A mountain, which falls off to both sides of its top. */
const mountain = (base, tops) => (place) =>
  base +
  Math.max(...tops.map(([size, at, width]) => size * Math.exp(-(Math.abs((place - at) / width) ** 1.4))));

function ground(heightAt, step) {
  const points = [];
  for (let x = 0; x <= WIDTH; x += step) points.push(`${x} ${Math.round(HEIGHT - heightAt(x / WIDTH))}`);
  return `M0 ${HEIGHT}L${points.join("L")}V${HEIGHT}z`;
}

/** A mountain of rock: corners between the waves. */
function rock(heightAt, next) {
  const points = [];
  for (let x = 0; x <= WIDTH; x += 22 + Math.round(next() * 34)) {
    points.push(`${x} ${Math.round(HEIGHT - heightAt(x / WIDTH) - (next() - 0.5) * 22)}`);
  }
  return `M0 ${HEIGHT}L${points.join("L")}L${WIDTH} ${Math.round(HEIGHT - heightAt(1))}V${HEIGHT}z`;
}

/** A conifer with three tiers, from its top down. */
function conifer(x, foot, height) {
  const tier = Math.round(height / 3);
  const half = Math.max(2, Math.round(height * 0.17));
  const notch = Math.max(1, Math.round(half / 2));
  const down = (part) => `l${part} ${tier}h-${notch}`;
  return `M${x} ${foot - height}${down(half)}${down(half)}l${half} ${height - 2 * tier}h-${4 * half + 2 * (half - 2 * notch)}${up(half, tier, height - 2 * tier, notch)}z`;
}

/** The left side of a conifer, from its foot up to two thirds of its height. */
function up(half, tier, lowest, notch) {
  return `l${half} -${lowest}h-${notch}l${half} -${tier}h-${notch}`;
}

/** Trees along a ridge: fewer and smaller the higher they stand, and none above the line. */
function forest(heightAt, line, sizes, step, next) {
  const trees = [];
  for (let x = 8; x < WIDTH - 8; x += step * (0.6 + next() * 0.8)) {
    const foot = heightAt(x / WIDTH);
    const room = (line - foot) / line;
    const size = sizes[0] + next() * sizes[1];
    if (room < next() * 0.25) continue;
    trees.push(
      conifer(
        Math.round(x),
        Math.round(HEIGHT - foot + 3),
        Math.round(size * Math.min(1, 0.45 + room * 1.6)),
      ),
    );
  }
  return trees.join("");
}

/** @returns the picture as SVG. Its colours are classes of theme/home/home.css. */
export function drawRidge() {
  const next = numbersFrom(43);
  const far = mountain(84, [
    [150, 0.04, 0.09],
    [96, 0.27, 0.06],
    [70, 0.52, 0.05],
    [216, 0.7, 0.07],
    [140, 0.79, 0.05],
    [190, 0.97, 0.06],
  ]);
  const middle = ridge(96, [
    [34, 1.2, 0.62],
    [16, 3.1, 0.15],
    [5, 8, 0.5],
  ]);
  const near = ridge(44, [
    [16, 1.8, 0.3],
    [8, 4.3, 0.7],
  ]);
  const layers = [
    ["far", rock(far, next)],
    ["middle", ground(middle, 24) + forest(middle, 165, [13, 12], 9, next)],
    ["near", ground(near, 24) + forest(near, 150, [26, 26], 14, next)],
  ];
  return `<svg class="ridge" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMidYMax slice" aria-hidden="true">${layers.map(([name, path]) => `<path class="${name}" d="${path}"/>`).join("")}</svg>`;
}
