import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';

export type Tint = 'main' | 'danger';

export interface Line {
  readonly name: string;
  readonly tint: Tint;
  /** One value per time. Null means no data. */
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  /** Description for screen readers. */
  readonly label: string;
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  /** @param time in seconds since the epoch. */
  readonly nameTime: (time: number) => string;
}

const HEIGHT = 220;
const FAINT = '26';
const AXIS_GAP = 70;

const variable = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function colorsOf(scheme: 'light' | 'dark'): Record<Tint | 'text' | 'grid', string> {
  return {
    main: variable(`--link-${scheme}`),
    danger: variable('--danger'),
    text: variable('--mantine-color-dimmed'),
    grid: scheme === 'dark' ? '#ffffff1a' : '#0000001a',
  };
}

function optionsOf(
  { lines, nameTime, time: timeLabel }: Pick<ChartProps, 'lines' | 'nameTime'> & { readonly time: string },
  scheme: 'light' | 'dark',
  width: number,
): uPlot.Options {
  const colors = colorsOf(scheme);
  const axis = { stroke: colors.text, grid: { stroke: colors.grid, width: 1 }, ticks: { show: false } };
  return {
    width,
    height: HEIGHT,
    cursor: { drag: { x: false, y: false }, y: false },
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(4, Math.ceil(max * 1.1))] } },
    axes: [
      { ...axis, space: AXIS_GAP, values: (_plot, times) => times.map(nameTime) },
      { ...axis, size: 48, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7] },
    ],
    series: [
      { label: timeLabel, value: (_plot, time) => (Number.isFinite(time) ? nameTime(time) : '') },
      ...lines.map(({ name, tint }) => ({
        label: name,
        stroke: colors[tint],
        fill: `${colors[tint]}${FAINT}`,
        width: 2,
        points: { size: 6 },
      })),
    ],
  };
}

/** Line chart over time. A table beside it gives the same data as text. */
export default function Chart({ label, times, lines, nameTime }: ChartProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  const { t } = useTranslation();
  const time = t('audit.at');
  useEffect(() => {
    const parent = box.current;
    if (!parent) return;
    const data = [[...times], ...lines.map(({ values }) => [...values])] as uPlot.AlignedData;
    const plot = new uPlot(optionsOf({ lines, nameTime, time }, scheme, parent.clientWidth), data, parent);
    const observer = new ResizeObserver(() => {
      plot.setSize({ width: parent.clientWidth, height: HEIGHT });
    });
    observer.observe(parent);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [times, lines, nameTime, time, scheme]);
  return <div ref={box} className="chart" role="img" aria-label={label} />;
}
