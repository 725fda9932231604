import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

const HEIGHT_PX = 220;
const FONT = "12px system-ui, sans-serif";

export interface Series {
  readonly name: string;
  /** One value for each label. */
  readonly values: readonly number[];
}

interface BarChartProps {
  /** What the chart shows; a table beside it has the numbers. */
  readonly title: string;
  readonly labels: readonly string[];
  /** Up to three, stacked from the bottom up. */
  readonly series: readonly Series[];
  readonly valueText: (value: number) => string;
}

/** Stacked bars. A picture to screen readers: whoever shows it puts a `Table` with the numbers beside it. */
export function BarChart({ title, labels, series, valueText }: BarChartProps) {
  const figure = useRef<HTMLElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const data = JSON.stringify([labels, series]);
  useEffect(() => {
    if (place.current === null || figure.current === null) return;
    return drawn(place.current, figure.current, { labels, series, valueText });
  }, [data, valueText]);
  return (
    <figure class="chart" ref={figure}>
      <ul class="legend">
        {series.map(({ name }, index) => (
          <li key={name}>
            <span class={`swatch swatch-${index + 1}`} />
            {name}
          </li>
        ))}
      </ul>
      <div ref={place} role="img" aria-label={title} />
    </figure>
  );
}

/** Draws, and again when the width or the colours change, until the returned function is called. */
function drawn(
  place: HTMLElement,
  figure: HTMLElement,
  content: Omit<BarChartProps, "title">,
): () => void {
  let plot: uPlot | undefined;
  const draw = () => {
    plot?.destroy();
    const options = optionsOf(content, coloursOf(figure), place.clientWidth);
    plot = new uPlot(options, stacked(content), place);
  };
  const sizes = new ResizeObserver(() =>
    plot?.setSize({ width: place.clientWidth, height: HEIGHT_PX }),
  );
  const themes = new MutationObserver(draw);
  const system = matchMedia("(prefers-color-scheme: dark)");
  draw();
  sizes.observe(place);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", draw);
  return () => {
    system.removeEventListener("change", draw);
    themes.disconnect();
    sizes.disconnect();
    plot?.destroy();
  };
}

interface Colours {
  readonly text: string;
  readonly line: string;
  readonly bars: readonly string[];
}

/** A canvas knows no custom properties: the colours are read where the browser has worked them out. */
function coloursOf(figure: HTMLElement): Colours {
  const { color, borderColor } = getComputedStyle(figure);
  const swatches = [...figure.querySelectorAll(".swatch")];
  const bars = swatches.map((swatch) => getComputedStyle(swatch).backgroundColor);
  return { text: color, line: borderColor, bars };
}

/** Positions, then each series upon those below it; the highest first, so that the lower ones are drawn over it. */
function stacked({ labels, series }: Pick<BarChartProps, "labels" | "series">): uPlot.AlignedData {
  const tops: number[][] = [];
  for (const { values } of series) {
    const below = tops.at(-1);
    tops.push(values.map((value, index) => value + (below?.[index] ?? 0)));
  }
  return [labels.map((_, index) => index), ...tops.toReversed()];
}

function optionsOf(
  { labels, series, valueText }: Omit<BarChartProps, "title">,
  { text, line, bars }: Colours,
  width: number,
): uPlot.Options {
  const axis = { stroke: text, font: FONT, ticks: { show: false } };
  const grid = { stroke: line, width: 1 };
  const textOf = (_: uPlot, positions: number[]) =>
    positions.map((position) => labels[position] ?? "");
  return {
    width,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [-0.6, labels.length - 0.4] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.05 : 1] },
    },
    axes: [
      { ...axis, size: 28, grid: { show: false }, incrs: [1, 2, 5, 10], values: textOf },
      { ...axis, grid, size: 52, values: (_, values) => values.map(valueText) },
    ],
    series: [
      {},
      ...series.map((_, index) => {
        const colour = bars[series.length - 1 - index] ?? text;
        const paths = uPlot.paths.bars?.({ size: [0.7, 48] });
        return { fill: colour, width: 0, points: { show: false }, ...(paths && { paths }) };
      }),
    ],
  };
}
