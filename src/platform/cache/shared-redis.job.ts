import { Injectable, OnModuleInit } from '@nestjs/common';
import { Environment } from '../config';
import { DatabaseServerRepository } from '../database';
import { Scheduler } from '../jobs';
import { Log } from '../logging';
import { KeyValueCache } from './key-value-cache';

const EVERY_SECONDS = 60;
const KEY = 'database_identity';

/**
 * Warns when a service with the same scope but another database uses the same Redis: its counters, and so its limits
 * and locks, would mix with ours.
 */
@Injectable()
export class SharedRedisJob implements OnModuleInit {
  private hasWarned = false;

  constructor(
    private readonly cache: KeyValueCache,
    private readonly server: DatabaseServerRepository,
    private readonly log: Log,
    private readonly environment: Environment,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    const { redisUrl, serviceScope } = this.environment;
    const run = (): Promise<void> => this.compare(serviceScope);
    if (redisUrl !== undefined) this.jobs.every(EVERY_SECONDS, { name: 'detect services that share a Redis', run });
  }

  /** Returns undefined if the role may not read it or the server is unreachable. */
  private async identity(): Promise<string | undefined> {
    try {
      return await this.server.identity();
    } catch {
      return undefined;
    }
  }

  /** The first service stores its identity and renews it on each run. */
  async compare(scope: string): Promise<void> {
    const identity = await this.identity();
    if (identity === undefined) return;
    const found = await this.cache.get<string>(KEY);
    if (found === undefined || found === identity) {
      await this.cache.set(KEY, identity, 2 * EVERY_SECONDS);
      return;
    }
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.log.warn(
      'Another service with this scope, on another database, uses the same Redis: limits and locks are counted together. Give one of them another SERVICE_SCOPE or another Redis',
      { scope },
    );
  }
}
