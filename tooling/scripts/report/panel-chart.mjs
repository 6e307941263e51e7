// One row per contestant, one panel per cell: a dot on a logarithmic axis that all panels share, with its number beside it.
import { looksOf } from "./draw.mjs";
import { short } from "./text.mjs";

const WIDTH = 800;
const ROW = 22;
const NAMES = 206;
const BETWEEN = 10;
const TOP = 80;
const RIGHT = 12;
/** Free space beside the dots, for their numbers. */
const NUMBER = 40;
/** The space between kinds of contestants, in rows. */
const PAUSE = 0.45;

/**
 * @param chart { title, panels: [heading], rows: [{ name, kind, isSecond, cells: [{ value } | { text }] }] }
 * @returns theme -> the argument of `draw`
 */
export function panelChart(chart) {
  const places = placesOf(chart.rows);
  const end = (places.at(-1) ?? 0) + 0.5;
  return (theme) => ({
    width: WIDTH,
    height: Math.ceil(TOP + end * ROW + 14),
    option: optionOf(chart, places, end, theme),
  });
}

/** Row -> its place from the top, in rows; there is a space between kinds. */
function placesOf(rows) {
  let place = 0.5;
  return rows.map(({ kind }, at) => {
    if (at > 0) place += kind === rows[at - 1].kind ? 1 : 1 + PAUSE;
    return place;
  });
}

function optionOf({ title, panels, rows }, places, end, theme) {
  const step = (WIDTH - NAMES - RIGHT + BETWEEN) / panels.length;
  const width = step - BETWEEN;
  const leftOf = (panel) => NAMES + panel * step;
  const [low, high] = rangeOf(rows, (width - NUMBER) / width);
  const heading = { color: theme.text, fontWeight: "bold", fontSize: 12 };
  return {
    title: [
      { text: title, left: 9, top: 9, textStyle: { color: theme.text, fontSize: 15, fontWeight: "bold" } },
      ...panels.map((text, panel) => ({ text, left: leftOf(panel) - 5, top: TOP - 40, textStyle: heading })),
    ],
    grid: panels.map((_, panel) => ({ left: leftOf(panel), width, top: TOP, height: end * ROW })),
    xAxis: panels.map((_, gridIndex) => ({
      gridIndex,
      type: "log",
      min: low,
      max: high,
      position: "top",
      axisLabel: {
        customValues: powersIn(rows),
        formatter: powerText,
        color: theme.muted,
        fontSize: 9,
        margin: 3,
        hideOverlap: true,
      },
      axisLine: { show: false },
      axisTick: { show: false, customValues: powersIn(rows) },
      splitLine: { lineStyle: { color: theme.faint } },
    })),
    yAxis: panels.map((_, gridIndex) => ({
      gridIndex,
      type: "value",
      inverse: true,
      min: 0,
      max: end,
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { show: false },
      axisLabel: gridIndex === 0 ? namesBeside(rows, places, theme) : { show: false },
    })),
    series: panels.map((_, panel) => ({
      type: "scatter",
      xAxisIndex: panel,
      yAxisIndex: panel,
      silent: true,
      data: rows.map((row, at) => pointOf(row, panel, { place: places[at], low, theme })),
    })),
  };
}

function namesBeside(rows, places, theme) {
  const styleOf = (row) => {
    const { color, weight } = looksOf(theme, row);
    return { color: row.kind === "library" ? theme.text : color, fontWeight: weight, fontSize: 12 };
  };
  return {
    show: true,
    interval: 0,
    margin: 12,
    customValues: places,
    formatter: (value) => {
      const at = places.findIndex((place) => Math.abs(place - value) < 1e-6);
      return at < 0 ? "" : `{r${at}|${rows[at].name}}`;
    },
    rich: Object.fromEntries(rows.map((row, at) => [`r${at}`, styleOf(row)])),
  };
}

/** A cell that was not measured shows a text where the axis begins. */
function pointOf({ cells, ...row }, panel, { place, low, theme }) {
  const { value, text = "" } = cells[panel] ?? {};
  const { color, symbol, size, weight, isHollow } = looksOf(theme, row);
  if (value === undefined) {
    const label = {
      show: true,
      position: "right",
      distance: 2,
      formatter: text,
      color: theme.muted,
      fontSize: 11,
    };
    return { value: [low, place], symbolSize: 0.1, itemStyle: { color: theme.page }, label };
  }
  return {
    value: [value, place],
    symbol,
    symbolSize: size,
    itemStyle: {
      opacity: 1,
      ...(isHollow ? { color: theme.page, borderColor: color, borderWidth: 1.5 } : { color }),
    },
    label: {
      show: true,
      position: "right",
      distance: 4,
      formatter: short(value),
      color: row.kind === "library" ? theme.muted : color,
      fontSize: 11,
      fontWeight: weight,
    },
  };
}

const valuesIn = (rows) =>
  rows.flatMap(({ cells }) => cells.map(({ value }) => value)).filter((value) => value > 0);

/** From below the smallest to above the largest value, so that the largest one is at `reach` of the width. */
function rangeOf(rows, reach) {
  const values = valuesIn(rows);
  if (values.length === 0) return [1, 10];
  const low = Math.min(...values) * 0.7;
  const high = Math.max(...values, low * 10);
  return [low, low * (high / low) ** (1 / reach)];
}

const powerText = (value) => (value < 1_000 ? `${Number(value.toPrecision(1))}` : `${value / 1_000}k`);

/** The powers of ten up to the first one that no value reaches. */
function powersIn(rows) {
  const values = valuesIn(rows);
  const first = Math.floor(Math.log10(Math.min(1, ...values)));
  const last = Math.ceil(Math.log10(Math.max(10, ...values)));
  return Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at));
}
