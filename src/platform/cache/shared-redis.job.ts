import { Injectable, OnModuleInit } from '@nestjs/common';
import { Environment } from '../config';
import { Transactions } from '../database';
import { Scheduler } from '../jobs';
import { Log } from '../logging';
import { KeyValueCache } from './key-value-cache';

const EVERY_SECONDS = 60;
const KEY = 'database_identity';
/**
 * Identifies a database even if it started as a copy of another: the server's system identifier and the database's OID.
 */
const IDENTITY = `SELECT system_identifier::text || '/' || oid AS identity
  FROM pg_control_system(), pg_database WHERE datname = current_database()`;

/**
 * Warns when a service with the same scope but another database uses the same Redis: its counters, and so its limits
 * and locks, would mix with ours.
 */
@Injectable()
export class SharedRedisJob implements OnModuleInit {
  private hasWarned = false;

  constructor(
    private readonly cache: KeyValueCache,
    private readonly transactions: Transactions,
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
  private async identity(): Promise<{ readonly identity: string } | undefined> {
    try {
      return (await this.transactions.rows<{ identity: string }>(IDENTITY, []))[0];
    } catch {
      return undefined;
    }
  }

  /** The first service stores its identity and renews it on each run. */
  async compare(scope: string): Promise<void> {
    const row = await this.identity();
    if (!row) return;
    const found = await this.cache.get<string>(KEY);
    if (found === undefined || found === row.identity) {
      await this.cache.set(KEY, row.identity, 2 * EVERY_SECONDS);
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
