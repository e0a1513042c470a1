import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { IdentityOptions } from '../../src/identity.options';
import { Argon2PasswordHasher } from '../../src/platform/crypto';
import { Setting } from '../../src/platform/settings';
import { createLogger, PinoLog } from '../../src/platform/logging';
import { SettingsService } from '../../src/settings';
import { createStandalone } from '../../src/standalone';
import { TestClient } from './test-client';
import { createTestDatabase, TestDatabase } from './test-database';

export { eventually } from './eventually';

export const ADMIN = { username: 'admin', password: 'an administrator of tests' };
export const PASSWORD = 'correct horse battery staple';
export const TEST_KEYS = `test:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64url')}`;

/** Argon2 at its least: tests log in often, and the real parameters have tests of their own. */
class QuickHasher extends Argon2PasswordHasher {
  constructor() {
    super({ memoryKib: 64, passes: 1, lanes: 1 });
  }
}

export interface TestServiceOptions {
  readonly environment?: Record<string, string>;
  readonly identity?: Partial<IdentityOptions>;
}

/** The whole service on a database of its own. */
export class TestService {
  private readonly others: TestService[] = [];

  private constructor(
    readonly app: NestFastifyApplication,
    readonly database: TestDatabase,
    /** Every line of the log so far. */
    readonly logLines: string[],
    private readonly options: TestServiceOptions,
    private readonly ownsDatabase: boolean,
  ) {}

  static async start(options: TestServiceOptions = {}): Promise<TestService> {
    return TestService.on(await createTestDatabase(), options, true);
  }

  private static async on(database: TestDatabase, options: TestServiceOptions, owns: boolean): Promise<TestService> {
    const logLines: string[] = [];
    const write = (line: string): void => {
      logLines.push(line);
    };
    const log = new PinoLog(createLogger({ level: 'debug', format: 'json', destination: { write } }));
    const app = await createStandalone({
      log,
      environment: {
        NODE_ENV: 'test',
        ENCRYPTION_KEYS: TEST_KEYS,
        ADMIN_USERNAME: ADMIN.username,
        ADMIN_PASSWORD: ADMIN.password,
        ...(database.url !== undefined && { DATABASE_URL: database.url }),
        ...options.environment,
      },
      ...(database.embedded && { embeddedDatabase: database.embedded }),
      ...options.identity,
      extensions: { passwordHasher: QuickHasher, ...options.identity?.extensions },
    });
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    return new TestService(app, database, logLines, options, owns);
  }

  /** Another instance on the same database, with memories of its own. */
  async another(options: TestServiceOptions = this.options): Promise<TestService> {
    const other = await TestService.on(this.database, options, false);
    this.others.push(other);
    return other;
  }

  client(): TestClient {
    return new TestClient(this.app);
  }

  /** A new user's client, registered but not logged in. */
  async register(username: string, more: Record<string, unknown> = {}): Promise<TestClient> {
    const client = this.client();
    const answer = await client.post('/api/auth/register', { username, password: PASSWORD, ...more });
    if (answer.status !== 201) throw new Error(`Could not register ${username}: ${answer.text}`);
    return client;
  }

  async logIn(username: string, password = PASSWORD, client = this.client()): Promise<TestClient> {
    const answer = await client.post('/api/auth/login', { type: 'password', username, password });
    if (answer.status !== 200) throw new Error(`Could not log ${username} in: ${answer.text}`);
    return client;
  }

  /** A new user's client, logged in. */
  async signUp(username: string, more: Record<string, unknown> = {}): Promise<TestClient> {
    return this.logIn(username, PASSWORD, await this.register(username, more));
  }

  admin(): Promise<TestClient> {
    return this.logIn(ADMIN.username, ADMIN.password);
  }

  /** Puts a setting into force here at once. */
  async set<T>(setting: Setting<T>, value: T): Promise<void> {
    await this.app.get(SettingsService).set(setting, value);
  }

  query<T = Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    return this.database.query<T>(sql, parameters);
  }

  async stop(): Promise<void> {
    for (const other of this.others) await other.stop();
    await this.app.close();
    if (this.ownsDatabase) await this.database.drop();
  }
}
