import { RootClaims } from './root-claims';

/** The time of dropped events, and the number of the root that says so. */
export interface DroppedRange {
  /** In milliseconds. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly root: number;
}

interface DroppedMonth extends DroppedRange {
  readonly month: string;
  /** Whether the retention in force allowed the drop only later. */
  readonly isEarly: boolean;
}

const DAY_MS = 86_400_000;

/** What retention dropped, according to genuine roots. */
export class SignedDrops {
  readonly months: readonly DroppedMonth[];
  /** What versions that signed no drop had dropped by their last root. */
  readonly former: readonly DroppedRange[];

  constructor(roots: readonly RootClaims[]) {
    this.months = roots.flatMap(monthsOf);
    this.former = roots.flatMap(({ number, dropped_before: to }) =>
      to === undefined ? [] : [{ from: 0, to, root: number }],
    );
  }

  get ranges(): readonly DroppedRange[] {
    return [...this.months, ...this.former];
  }

  /** Whether an event that the root covers may be missing: only if a later root drops its month. */
  isDropped(at: number, root: number): boolean {
    return this.ranges.some((range) => at >= range.from && at < range.to && root < range.root);
  }
}

function monthsOf({ number, dropped, retention_days: proven = 0 }: RootClaims): DroppedMonth[] {
  if (!dropped) return [];
  const keptMs = Math.max(dropped.retention_days, proven) * DAY_MS;
  return dropped.months.map((month) => {
    const [year = 0, one = 0] = month.split('-').map(Number);
    const [from, to] = [Date.UTC(year, one - 1), Date.UTC(year, one)];
    return { month, from, to, root: number, isEarly: to + keptMs > dropped.at };
  });
}
