import { Injectable } from '@nestjs/common';
import { CacheFactory, ReadThroughCache } from '../../platform/cache';
import { Failing, FailedLoginsRepository } from './failed-logins.repository';
import { rangeDays, StatisticsRange, statisticsRanges } from './statistics-range';

const TTL_MS = 30_000;
/** An attack makes millions of failures, and reading them all would help the attacker. */
const MAX_EXAMINED = 10_000;
const TOP = 10;

export interface FailedLogins {
  /** Most failures first. */
  readonly accounts: readonly Failing[];
  readonly addresses: readonly Failing[];
  /** How many failed logins were found. */
  readonly examined: number;
  /** Whether older failures of the period are left out. */
  readonly isPartial: boolean;
}

/** Finds the accounts and addresses with most failed logins. */
@Injectable()
export class FailedLoginsService {
  private readonly reports: ReadThroughCache<FailedLogins>;

  constructor(
    caches: CacheFactory,
    private readonly logins: FailedLoginsRepository,
  ) {
    this.reports = caches.create('statistics_failures', { ttlMs: TTL_MS, maxEntries: statisticsRanges.length });
  }

  /** At most 30 s old. */
  async read(range: StatisticsRange): Promise<FailedLogins> {
    const report = await this.reports.get(range, () => this.load(rangeDays[range]));
    if (!report) throw new Error(`No failed logins for ${range}`);
    return report;
  }

  private async load(days: number): Promise<FailedLogins> {
    const { failing, logins, read } = await this.logins.find(days, MAX_EXAMINED, TOP);
    return {
      accounts: failing.filter(({ kind }) => kind === 'account'),
      addresses: failing.filter(({ kind }) => kind === 'address'),
      examined: logins,
      isPartial: read === MAX_EXAMINED,
    };
  }
}
