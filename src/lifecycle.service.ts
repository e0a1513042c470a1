import {
  BeforeApplicationShutdown,
  Inject,
  Injectable,
  OnApplicationBootstrap,
  OnApplicationShutdown,
} from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { RouteAuditService } from './platform/access';
import { Invalidations, KeyValueCache } from './platform/cache';
import { Environment, NodeEnvironment } from './platform/config';
import { closeAll, Database, StartupTasks } from './platform/database';
import { ReadinessService } from './platform/health';
import { HttpHooksService } from './platform/http';
import { Scheduler } from './platform/jobs';
import { Log } from './platform/logging';
import { SessionActivityService } from './session';

const RETRY_SECONDS = 5;
/**
 * In production long enough for a load balancer to see readiness 503 and turn away; else for connections that still wait
 * to be accepted to be read, or they would be cut. Suites that stop hundreds of services in one process need neither.
 */
const DRAINING_MS: Readonly<Record<NodeEnvironment, number>> = { production: 2_000, development: 250, test: 0 };

/** How long the listener stays open after readiness turned 503, in milliseconds; at most a quarter of the time to stop. */
export function drainingMs({ nodeEnv, shutdownSeconds }: Environment): number {
  return Math.min(DRAINING_MS[nodeEnv], shutdownSeconds * 250);
}

/** Brings the data into shape before the first request, and leaves nothing half-done at the end. */
@Injectable()
export class LifecycleService implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private retry: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    @Inject(Environment) private readonly environment: Environment,
    private readonly database: Database,
    private readonly startup: StartupTasks,
    private readonly readiness: ReadinessService,
    private readonly http: HttpHooksService,
    private readonly routes: RouteAuditService,
    private readonly jobs: Scheduler,
    private readonly cache: KeyValueCache,
    private readonly invalidations: Invalidations,
    private readonly activity: SessionActivityService,
    private readonly log: Log,
  ) {}

  /** Where nothing is served, as on the command line, the data stays as it is and no job starts. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.http.hasServer) return;
    if (!this.http.isInstalled) throw new Error('Call installHttp(app) before app.listen() or app.init()');
    this.routes.refuseUndeclared();
    this.warnOfMisspeltVariables();
    await this.prepare();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.readiness.markDraining();
    clearTimeout(this.retry);
    if (!this.http.hasServer) return;
    const milliseconds = drainingMs(this.environment);
    if (milliseconds > 0) await pause(milliseconds);
  }

  async onApplicationShutdown(): Promise<void> {
    await closeAll([
      () => this.jobs.stop(),
      () => this.flushActivity(),
      () => this.cache.close(),
      () => this.invalidations.close(),
      () => this.database.close(),
    ]);
  }

  /**
   * Without the right to migrate, the service waits for an outdated schema: readiness stays 503 until an operator
   * migrates.
   */
  private async prepare(): Promise<void> {
    if (!this.environment.migrateOnStart && (await this.database.hasPendingMigrations())) {
      this.log.warn('Migrations are pending and MIGRATE_ON_START is false: waiting for them to be run');
      this.prepareLater();
      return;
    }
    await this.database.prepare(this.environment.migrateOnStart, () => this.startup.runAll());
    if (this.isStopping) return;
    this.readiness.markPrepared();
    this.http.open();
    this.jobs.start();
  }

  private warnOfMisspeltVariables(): void {
    for (const { found, known } of this.environment.nearMisses) {
      this.log.warn(`${found} is set and is no variable of the service: was ${known} meant?`);
    }
  }

  private prepareLater(): void {
    if (this.isStopping) return;
    this.retry = setTimeout(() => {
      this.prepare().catch((error: unknown) => {
        this.log.warn('Could not prepare the data; trying again', { err: error });
        this.prepareLater();
      });
    }, RETRY_SECONDS * 1_000).unref();
  }

  private async flushActivity(): Promise<void> {
    try {
      await this.activity.flush();
    } catch (error) {
      this.log.warn('The last activity of sessions was not written', { err: error });
    }
  }
}
