import { BeforeApplicationShutdown, Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { RoutePolicyValidator } from '../../platform/access';
import { Environment, NodeEnvironment } from '../../platform/config';
import { Database, StartupTasks } from '../../platform/database';
import { ReadinessService } from '../health';
import { HttpHooksService } from '../../platform/http';
import { Scheduler } from '../../platform/jobs';
import { Log } from '../../platform/logging';

const RETRY_SECONDS = 5;
/**
 * In production, long enough for a load balancer to see readiness 503 and stop sending requests. In development, long
 * enough to read connections that wait to be accepted. Test suites stop hundreds of services in one process and need
 * neither.
 */
const DRAINING_MS: Readonly<Record<NodeEnvironment, number>> = { production: 2_000, development: 250, test: 0 };

/**
 * How long the listener stays open after readiness turns 503, in milliseconds. At most a quarter of the shutdown time.
 */
export function drainingMs({ nodeEnv, shutdownSeconds }: Environment): number {
  return Math.min(DRAINING_MS[nodeEnv], shutdownSeconds * 250);
}

/**
 * Prepares the data before the first request. At the end, turns readiness off and waits for load balancers to notice,
 * before `ShutdownService` closes anything.
 */
@Injectable()
export class LifecycleService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private retry: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    @Inject(Environment) private readonly environment: Environment,
    private readonly database: Database,
    private readonly startup: StartupTasks,
    private readonly readiness: ReadinessService,
    private readonly http: HttpHooksService,
    private readonly routes: RoutePolicyValidator,
    private readonly jobs: Scheduler,
    private readonly log: Log,
  ) {}

  /** Without a server, as on the command line, does not change the data or start jobs. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.http.hasServer) return;
    if (!this.http.isInstalled) throw new Error('Call installHttp(app) before app.listen() or app.init()');
    this.routes.rejectUndeclared();
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

  /**
   * Without the right to migrate, the service waits for pending migrations: readiness stays 503 until an operator
   * migrates.
   */
  private async prepare(): Promise<void> {
    if (!this.environment.migrateOnStart && (await this.database.hasPendingMigrations())) {
      this.log.warn('Migrations are pending and MIGRATE_ON_START is false: waiting for an operator to run them');
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
      this.log.warn(`Unknown variable ${found} is set: did you mean ${known}?`);
    }
  }

  private prepareLater(): void {
    if (this.isStopping) return;
    this.retry = setTimeout(() => {
      this.prepare().catch((error: unknown) => {
        this.log.warn('Could not prepare the data; retrying', { err: error });
        this.prepareLater();
      });
    }, RETRY_SECONDS * 1_000).unref();
  }
}
