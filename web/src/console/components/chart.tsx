import { useElementSize } from '@mantine/hooks';
import { useState, type PointerEvent, type ReactNode } from 'react';
import { numberOf } from '../../session/time';

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
const TOP = 8;
const BOTTOM = HEIGHT - 24;
const LEFT = 48;
const RIGHT = 16;
/** Pixels for the name of a time. */
const NAME_WIDTH = 70;
const STEPS = 4;

/** 1, 2 or 5 times a power of ten, so that about four steps reach the value. */
function stepFor(max: number): number {
  const power = 10 ** Math.floor(Math.log10(max / STEPS));
  const factor = [1, 2, 5, 10].find((factor) => factor * power * STEPS >= max) ?? 10;
  return Math.max(1, factor * power);
}

interface Scale {
  readonly top: number;
  readonly marks: readonly number[];
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

function scaleOf(lines: readonly Line[], count: number, width: number): Scale {
  const max = Math.max(STEPS, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const step = stepFor(max);
  const top = Math.ceil(max / step) * step;
  const gap = (width - LEFT - RIGHT) / Math.max(1, count - 1);
  return {
    top,
    marks: Array.from({ length: top / step + 1 }, (_, index) => index * step),
    x: (index) => LEFT + index * gap,
    y: (value) => BOTTOM - (value / top) * (BOTTOM - TOP),
  };
}

/** The parts of a line without missing values, as pairs of index and value. */
function unbrokenOf(values: Line['values']): (readonly [number, number])[][] {
  const parts: (readonly [number, number])[][] = [[]];
  for (const [index, value] of values.entries()) {
    if (value === null) parts.push([]);
    else parts.at(-1)?.push([index, value]);
  }
  return parts.filter(({ length }) => length > 0);
}

function Curve({ line: { values, tint }, scale: { x, y } }: { readonly line: Line; readonly scale: Scale }): ReactNode {
  return unbrokenOf(values).map((part) => {
    const points = part.map(([index, value]) => `${x(index)},${y(value)}`);
    const [first, last] = [x(part[0]?.[0] ?? 0), x(part.at(-1)?.[0] ?? 0)];
    return (
      <g key={first} className="curve" data-tint={tint}>
        <path className="area" d={`M${first},${BOTTOM}L${points.join('L')}L${last},${BOTTOM}Z`} />
        <path className="line" d={`M${points.join('L')}`} />
        {points.length === 1 && <circle cx={first} cy={y(part[0]?.[1] ?? 0)} r={3} fill="currentcolor" />}
      </g>
    );
  });
}

interface AxesProps extends Pick<ChartProps, 'times' | 'nameTime'> {
  readonly scale: Scale;
  readonly width: number;
}

function Axes({ scale, width, times, nameTime }: AxesProps): ReactNode {
  const every = Math.max(1, Math.ceil((times.length * NAME_WIDTH) / (width - LEFT - RIGHT)));
  return (
    <>
      {scale.marks.map((mark) => (
        <g key={mark}>
          <path className="grid" d={`M${LEFT},${scale.y(mark)}H${width - RIGHT}`} />
          <text x={LEFT - 8} y={scale.y(mark) + 4} textAnchor="end">
            {numberOf(mark)}
          </text>
        </g>
      ))}
      {times.map(
        (time, index) =>
          (times.length - 1 - index) % every === 0 && (
            <text key={time} x={Math.min(scale.x(index), width - 28)} y={HEIGHT - 6} textAnchor="middle">
              {nameTime(time)}
            </text>
          ),
      )}
    </>
  );
}

function Legend({ lines, at, name }: { readonly lines: readonly Line[]; readonly at: number; readonly name: string }) {
  return (
    <p className="legend" aria-hidden>
      <span>{name}</span>
      {lines.map((line) => {
        const value = line.values[at];
        return (
          <span key={line.name} className="curve" data-tint={line.tint}>
            {line.name} {value === null || value === undefined ? '–' : numberOf(value)}
          </span>
        );
      })}
    </p>
  );
}

/** Line chart over time. The legend shows the numbers at the pointer. A table beside it gives the same data as text. */
export function Chart({ label, times, lines, nameTime }: ChartProps): ReactNode {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [pointed, setPointed] = useState<number>();
  const last = times.length - 1;
  const at = Math.min(pointed ?? last, last);
  const scale = scaleOf(lines, times.length, width);
  const point = ({ nativeEvent, currentTarget }: PointerEvent<SVGElement>): void => {
    const place = (nativeEvent.clientX - currentTarget.getBoundingClientRect().left - LEFT) / (width - LEFT - RIGHT);
    setPointed(Math.max(0, Math.min(last, Math.round(place * last))));
  };
  return (
    <div ref={ref} className="chart">
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={label}
          onPointerMove={point}
          onPointerLeave={() => {
            setPointed(undefined);
          }}
        >
          <Axes scale={scale} width={width} times={times} nameTime={nameTime} />
          {lines.map((line) => (
            <Curve key={line.name} line={line} scale={scale} />
          ))}
          {pointed !== undefined && <path className="pointer" d={`M${scale.x(at)},${TOP}V${BOTTOM}`} />}
        </svg>
      )}
      <Legend lines={lines} at={at} name={nameTime(times[at] ?? 0)} />
    </div>
  );
}
