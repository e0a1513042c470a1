import { Injectable, OnModuleInit } from '@nestjs/common';
import { Invalidations, KeyValueCache } from '../cache';
import { serviceVersion } from '../config';
import { HashingQueue } from '../crypto';
import { Database } from '../database';
import { MetricsService } from './metrics.service';

/** In seconds. */
const WAIT_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
/** Every instance applies a change within one second. */
const AGE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 5];

/** Metrics of Redis, the database pool, the hashing queue and invalidations. */
@Injectable()
export class PlatformMetricsService implements OnModuleInit {
  constructor(
    private readonly metrics: MetricsService,
    private readonly queue: HashingQueue,
    private readonly database: Database,
    private readonly cache: KeyValueCache,
    private readonly invalidations: Invalidations,
  ) {}

  onModuleInit(): void {
    const { metrics } = this;
    metrics.gauges('castellan_build_info', 'Always 1, with the version', ['version', 'node'], () => [
      { labels: { version: serviceVersion, node: process.versions.node }, value: 1 },
    ]);
    metrics.gauge('castellan_redis_away', '1 while memory replaces Redis, else 0', () => Number(this.cache.isDegraded));
    metrics.counter(
      'castellan_hash_refusals_total',
      'Password hashes rejected because too many waited',
      () => this.queue.rejected,
    );
    this.queue.onPlace = metrics.durations(
      'castellan_hash_wait_seconds',
      'Time that password hashes waited to start',
      WAIT_BUCKETS,
    );
    this.database.onWaited(
      metrics.durations(
        'castellan_database_wait_seconds',
        'Time that requests waited for a database connection, if none was idle',
        WAIT_BUCKETS,
      ),
    );
    this.invalidations.onReceived(
      metrics.durations(
        'castellan_invalidation_age_seconds',
        'Age of a change of another instance when its notification arrived, by the clocks of both',
        AGE_BUCKETS,
      ),
    );
  }
}
