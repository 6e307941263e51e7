// Lines on logarithmic axes, each with its name at its end. Names that would overlap are moved apart, and a thin line
// leads to each.
import { fontOf, looksOf } from "./draw.mjs";

const WIDTH = 800;
const HEIGHT = 480;
const FRAME = { left: 62, right: 248, top: 58, bottom: 46 };
const PLOT = { width: WIDTH - FRAME.left - FRAME.right, height: HEIGHT - FRAME.top - FRAME.bottom };
const LEADER = 38;
const GAP = 17;

/**
 * @param chart { title, xName, lines, xTicks, yRange, yText }; a line is { name, kind, isSecond, points: [[x, y], ...],
 *   note }, whose name is at the last point.
 * @returns theme -> the argument of `draw`
 */
export function lineChart(chart) {
  return (theme) => ({ width: WIDTH, height: HEIGHT, option: optionOf(chart, theme) });
}

/** Higher ones are drawn later, in front. */
const DEPTH = { library: 1, hand: 2, native: 3, ours: 4 };

function optionOf({ title, xName, lines, xTicks, yRange, yText }, theme) {
  const behindFirst = [...lines].sort((one, other) => DEPTH[one.kind] - DEPTH[other.kind]);
  const axis = { axisLabel: { color: theme.muted, fontSize: 12 }, axisTick: { show: false } };
  const [firstX] = xTicks;
  const lastX = xTicks.at(-1);
  return {
    title: {
      text: title,
      left: 9,
      top: 9,
      textStyle: { color: theme.text, fontSize: 15, fontWeight: "bold" },
    },
    grid: { ...FRAME, containLabel: false },
    xAxis: {
      ...axis,
      type: "value",
      min: Math.log10(firstX),
      max: Math.log10(lastX),
      axisLabel: {
        ...axis.axisLabel,
        customValues: xTicks.map(Math.log10),
        formatter: (value) => Math.round(10 ** value).toLocaleString("en"),
      },
      axisLine: { lineStyle: { color: theme.muted } },
      splitLine: { show: false },
      name: xName,
      nameLocation: "middle",
      nameGap: 28,
      nameTextStyle: { color: theme.muted, fontSize: 12 },
    },
    yAxis: {
      ...axis,
      type: "log",
      min: yRange[0],
      max: yRange[1],
      axisTick: { show: false, customValues: powersUpTo(yRange) },
      axisLabel: { ...axis.axisLabel, customValues: powersUpTo(yRange), formatter: yText },
      splitLine: { lineStyle: { color: theme.faint } },
    },
    series: behindFirst.map((line) => seriesOf(line, theme)),
    graphic: { elements: namesAtEnds(lines, { xTicks, yRange }, theme) },
  };
}

function seriesOf({ points, ...line }, theme) {
  const { color, width, symbol, size, isDashed } = looksOf(theme, line);
  return {
    type: "line",
    data: points.map(([x, y]) => [Math.log10(x), y]),
    symbol,
    symbolSize: size,
    lineStyle: { color, width, type: isDashed ? "dashed" : "solid" },
    itemStyle: { color, borderColor: color },
    silent: true,
  };
}

function namesAtEnds(lines, { xTicks, yRange }, theme) {
  const xOf = (x) => FRAME.left + share(x, xTicks[0], xTicks.at(-1)) * PLOT.width;
  const yOf = (y) => FRAME.top + (1 - share(y, ...yRange)) * PLOT.height;
  const ends = lines
    .map((line) => ({ line, x: xOf(line.points.at(-1)[0]), y: yOf(line.points.at(-1)[1]) }))
    .sort((one, other) => one.y - other.y || DEPTH[other.line.kind] - DEPTH[one.line.kind]);
  const places = spread(
    ends.map(({ y }) => y),
    { gap: GAP, from: FRAME.top, to: HEIGHT - 8 },
  );
  const textAt = FRAME.left + PLOT.width + LEADER;
  return ends.flatMap(({ line, x, y }, at) => {
    const { color, weight } = looksOf(theme, line);
    const fill = line.kind === "library" ? theme.muted : color;
    const path = [
      [x + 6, y],
      [Math.max(x + 6, textAt - 18), y],
      [textAt - 4, places[at]],
    ];
    return [
      {
        type: "polyline",
        silent: true,
        shape: { points: path },
        style: { stroke: color, lineWidth: 0.7, fill: "none", lineDash: line.note ? [2, 3] : null },
      },
      {
        type: "text",
        silent: true,
        x: textAt,
        y: places[at],
        style: {
          text: line.note ? `${line.name}: ${line.note}` : line.name,
          fill,
          font: fontOf(12, weight),
          verticalAlign: "middle",
        },
      },
    ];
  });
}

function powersUpTo([low, high]) {
  const first = Math.ceil(Math.log10(low));
  const last = Math.floor(Math.log10(high));
  return Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at));
}

/** The position of a value between two others, on a logarithmic scale. */
function share(value, from, to) {
  return Math.log(value / from) / Math.log(to / from);
}

/** Moves sorted places apart until neighbours have the gap, each as near to its original place as the others allow. */
function spread(wanted, { gap, from, to }) {
  const topOf = ({ sum, count }) => {
    const top = sum / count - (count * gap) / 2;
    return Math.max(from, Math.min(top, to - count * gap));
  };
  const groups = [];
  for (const place of wanted) {
    groups.push({ sum: place, count: 1 });
    while (groups.length > 1) {
      const [before, last] = groups.slice(-2);
      if (topOf(last) >= topOf(before) + before.count * gap) break;
      groups.splice(-2, 2, { sum: before.sum + last.sum, count: before.count + last.count });
    }
  }
  return groups.flatMap((group) =>
    Array.from({ length: group.count }, (_, at) => topOf(group) + (at + 0.5) * gap),
  );
}
