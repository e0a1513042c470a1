import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { IdentityOptions } from '../../../src/identity/identity.options';
import { KeyValueCache } from '../../../src/platform/cache';
import { Setting } from '../../../src/platform/settings';
import { createLogger, LogFields, PinoLog } from '../../../src/platform/logging';
import { SettingsService } from '../../../src/settings';
import { createStandalone } from '../../../src/standalone';
import { QuickHasher } from '../../../src/testing/quick-hasher';
import { TEST_ENVIRONMENT } from '../../../src/testing/test-identity';
import { TestPeople } from '../../../src/testing/test-people';
import { collectActs } from '../documents/recorded-acts';
import { TestClient } from './test-client';
import { createTestDatabase, TestDatabase } from './test-database';

export { eventually } from './eventually';

export { TEST_KEYS } from '../../../src/testing/test-identity';
export { ADMIN, PASSWORD } from '../../../src/testing/test-people';

/** The environment of a service in production that does not wait for load balancers when it stops. */
export const IN_PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://id.example.com', SHUTDOWN_SECONDS: '0' };

/** Parts of Nest that write a line for each route and module at each start, which takes a twentieth of the start. */
const STARTING: readonly unknown[] = ['InstanceLoader', 'RouterExplorer', 'RoutesResolver'];

class TestLog extends PinoLog {
  override debug(message: string, fields: LogFields = {}): void {
    if (!STARTING.includes(fields['context'])) super.debug(message, fields);
  }
}

export interface TestServiceOptions {
  readonly environment?: Record<string, string>;
  readonly identity?: Partial<IdentityOptions>;
}

/** The whole service on a private database. */
export class TestService extends TestPeople<TestClient> {
  private readonly others: TestService[] = [];

  private constructor(
    readonly app: NestFastifyApplication,
    readonly database: TestDatabase,
    /** All log lines so far. */
    readonly logLines: string[],
    private readonly options: TestServiceOptions,
    private readonly ownsDatabase: boolean,
  ) {
    super();
  }

  static async start(options: TestServiceOptions = {}): Promise<TestService> {
    return TestService.on(await createTestDatabase(), options, true);
  }

  /** On a database that the caller drops, also one that has to be migrated first. */
  static startOn(database: TestDatabase, options: TestServiceOptions = {}): Promise<TestService> {
    return TestService.on(database, options, false);
  }

  private static async on(database: TestDatabase, options: TestServiceOptions, owns: boolean): Promise<TestService> {
    const logLines: string[] = [];
    const write = (line: string): void => {
      logLines.push(line);
    };
    const log = new TestLog(createLogger({ level: 'debug', format: 'json', destination: { write } }));
    const app = await createStandalone({
      log,
      environment: {
        ...TEST_ENVIRONMENT,
        ...(database.url !== undefined && { DATABASE_URL: database.url }),
        ...options.environment,
      },
      ...(database.embedded && { embeddedDatabase: database.embedded }),
      ...options.identity,
      extensions: { passwordHasher: QuickHasher, ...options.identity?.extensions },
    });
    try {
      await app.init();
      await app.getHttpAdapter().getInstance().ready();
    } catch (error) {
      // Otherwise its pool and its health monitor of the database outlive the test.
      await app.close();
      throw error;
    }
    return new TestService(app, database, logLines, options, owns);
  }

  /** Another instance on the same database with separate caches. */
  async another(options: TestServiceOptions = this.options): Promise<TestService> {
    const other = await TestService.on(this.database, options, false);
    this.others.push(other);
    return other;
  }

  client(): TestClient {
    return new TestClient(this.app);
  }

  /** Stores a setting and makes it effective immediately. */
  async set<T>(setting: Setting<T>, value: T): Promise<void> {
    await this.app.get(SettingsService).set(setting, value);
  }

  async query<T = Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    const rows = await this.database.query<T>(sql, parameters);
    if (/\bUPDATE session\b/.test(sql)) await this.deleteCachedSessions();
    return rows;
  }

  /** A manual change of the database does not invalidate the cache. */
  private async deleteCachedSessions(): Promise<void> {
    const sessions = await this.database.query<{ id: string }>('SELECT id FROM session');
    const keys = sessions.map(({ id }) => `session:${id}`);
    for (const { app } of [this, ...this.others]) await app.get(KeyValueCache).delete(...keys);
  }

  async stopOthers(): Promise<void> {
    for (const other of this.others.splice(0)) await other.stop();
  }

  async stop(): Promise<void> {
    await this.stopOthers();
    await this.app.close();
    if (!this.ownsDatabase) return;
    await collectActs(this.database);
    await this.database.drop();
  }
}
