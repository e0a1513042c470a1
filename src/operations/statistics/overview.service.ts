import { Injectable } from '@nestjs/common';
import { CacheFactory, ReadThroughCache } from '../../platform/cache';
import { AccountCount } from './account-count.entity';
import { AccountCountRepository } from './account-count.repository';
import { ActivityHour } from './activity-hour.entity';
import { ActivityRepository } from './activity.repository';
import { rangeDays, StatisticsRange, statisticsRanges } from './statistics-range';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const TTL_MS = 30_000;

/** A number, and the one of the period before. null: not counted. */
export interface Figure {
  readonly value: number | null;
  readonly before: number | null;
}

export interface Overview {
  /** When the accounts were counted; null: not yet. */
  readonly countedAt: Date | null;
  readonly users: Figure;
  readonly newUsers: Figure;
  readonly activeUsers: Figure;
  readonly secondFactorUsers: Figure;
  readonly logins: Figure;
  readonly failedLogins: Figure;
  /** Logins by method, most first. */
  readonly methods: readonly { readonly method: string; readonly logins: number }[];
}

type LoginFigures = Pick<Overview, 'logins' | 'failedLogins' | 'methods'>;

/** The numbers of a period and their change. A request reads stored counts and counts the last hours of logins only. */
@Injectable()
export class OverviewService {
  private readonly overviews: ReadThroughCache<Overview>;

  constructor(
    caches: CacheFactory,
    private readonly accounts: AccountCountRepository,
    private readonly activity: ActivityRepository,
  ) {
    this.overviews = caches.create('statistics_overview', { ttlMs: TTL_MS, maxEntries: statisticsRanges.length });
  }

  /** Logins are at most 30 s old, and accounts as old as `countedAt` says. */
  async read(range: StatisticsRange): Promise<Overview> {
    const overview = await this.overviews.get(range, () => this.load(range));
    if (!overview) throw new Error(`No overview for ${range}`);
    return overview;
  }

  private async load(range: StatisticsRange): Promise<Overview> {
    const days = rangeDays[range];
    const now = await this.accounts.findLatest();
    const before = now && (await this.accounts.findAt(new Date(now.hour.getTime() - days * DAY_HOURS * HOUR_MS)));
    const place = statisticsRanges.indexOf(range);
    const figure = (of: (count: AccountCount) => number | undefined): Figure => ({
      value: (now && of(now)) ?? null,
      before: (before && of(before)) ?? null,
    });
    return {
      countedAt: now?.countedAt ?? null,
      users: figure(({ users }) => users),
      newUsers: figure(({ newUsers }) => newUsers[place]),
      activeUsers: figure(({ activeUsers }) => activeUsers[place]),
      secondFactorUsers: figure(({ secondFactorUsers }) => secondFactorUsers),
      ...(await this.logins(days * DAY_HOURS)),
    };
  }

  /** Of so many hours, the last of which is not complete, and of as many before them. */
  private async logins(hours: number): Promise<LoginFigures> {
    const { first: firstOpen, current } = await this.activity.openHours();
    const start = new Date(current.getTime() - (hours - 1) * HOUR_MS);
    const written = await this.activity.findBetween(new Date(start.getTime() - hours * HOUR_MS), firstOpen);
    const open = await this.activity.count(firstOpen > start ? firstOpen : start, current);
    const former = written.filter(({ hour }) => hour < start);
    const recent = [...written.filter(({ hour }) => hour >= start), ...open];
    const figure = (measure: 'logins' | 'failedLogins'): Figure => ({
      value: sumOf(recent, measure),
      before: former.length === hours ? sumOf(former, measure) : null,
    });
    return { logins: figure('logins'), failedLogins: figure('failedLogins'), methods: methodsOf(recent) };
  }
}

const sumOf = (hours: readonly ActivityHour[], measure: 'logins' | 'failedLogins'): number =>
  hours.reduce((sum, hour) => sum + hour[measure], 0);

function methodsOf(hours: readonly ActivityHour[]): Overview['methods'] {
  const sums = new Map<string, number>();
  for (const [method, logins] of hours.flatMap(({ methods }) => Object.entries(methods ?? {}))) {
    sums.set(method, (sums.get(method) ?? 0) + logins);
  }
  return [...sums].map(([method, logins]) => ({ method, logins })).sort((one, other) => other.logins - one.logins);
}
