import { Injectable } from '@nestjs/common';
import { CacheFactory, ReadThroughCache } from '../../platform/cache';
import type { ActivityHour } from './activity-hour.entity';
import { ActivityRepository } from './activity.repository';
import { StatisticsRange, statisticsRanges } from './statistics-range';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const TTL_MS = 30_000;

interface Scale {
  readonly stepSeconds: number;
  readonly steps: number;
}

const scales: Record<StatisticsRange, Scale> = {
  day: { stepSeconds: HOUR_SECONDS, steps: 24 },
  week: { stepSeconds: DAY_SECONDS, steps: 7 },
  month: { stepSeconds: DAY_SECONDS, steps: 30 },
  quarter: { stepSeconds: DAY_SECONDS, steps: 90 },
};

/** The counts of one step. */
export type ActivityStep = Omit<ActivityHour, 'hour' | 'methods'> & { readonly at: Date };

export interface ActivityReport {
  readonly stepSeconds: number;
  readonly steps: readonly ActivityStep[];
}

/** Counts over time, for the dashboard. */
@Injectable()
export class StatisticsService {
  private readonly reports: ReadThroughCache<ActivityReport>;

  constructor(
    caches: CacheFactory,
    private readonly activity: ActivityRepository,
  ) {
    this.reports = caches.create('statistics', { ttlMs: TTL_MS, maxEntries: statisticsRanges.length });
  }

  /** Every step of the range, at most 30 s old. The last step is the current, incomplete one. Days are in UTC. */
  async read(range: StatisticsRange): Promise<ActivityReport> {
    return (await this.reports.get(range, () => this.load(scales[range]))) ?? { stepSeconds: 0, steps: [] };
  }

  private async load({ stepSeconds, steps }: Scale): Promise<ActivityReport> {
    const { first: firstOpen, current } = await this.activity.openHours();
    const last = stepOf(current, stepSeconds);
    const first = new Date(last.getTime() - (steps - 1) * stepSeconds * 1_000);
    // Hours stored since `openHours` are counted as open.
    const written = await this.activity.findBetween(first, firstOpen);
    const open = await this.activity.count(firstOpen > first ? firstOpen : first, current);
    const report = emptySteps(first, stepSeconds, steps);
    for (const hour of [...written, ...open]) add(report, hour, stepSeconds);
    return { stepSeconds, steps: [...report.values()] };
  }
}

const stepOf = (time: Date, seconds: number): Date =>
  new Date(Math.floor(time.getTime() / (seconds * 1_000)) * seconds * 1_000);

function emptySteps(first: Date, seconds: number, count: number): Map<number, ActivityStep> {
  const times = Array.from({ length: count }, (_, index) => first.getTime() + index * seconds * 1_000);
  const nothing = { logins: 0, failedLogins: 0, deliveries: 0, failedDeliveries: 0, activeSessions: null };
  return new Map(times.map((time) => [time, { at: new Date(time), ...nothing }]));
}

/** Adds the counts of an hour. For sessions, the latest count of a step applies. */
function add(report: Map<number, ActivityStep>, hour: ActivityHour, seconds: number): void {
  const time = stepOf(hour.hour, seconds).getTime();
  const step = report.get(time);
  if (!step) return;
  report.set(time, {
    at: step.at,
    logins: step.logins + hour.logins,
    failedLogins: step.failedLogins + hour.failedLogins,
    deliveries: step.deliveries + hour.deliveries,
    failedDeliveries: step.failedDeliveries + hour.failedDeliveries,
    activeSessions: hour.activeSessions ?? step.activeSessions,
  });
}
