import { Module, Provider, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { IdentityModule, installHttp } from '../identity';
import type { HostModule, IdentityOptions } from '../identity';
import { QuickHasher } from './quick-hasher';
import { RecordingLog } from './recording-log';
import { TestClient } from './test-client';
import { openTestDatabase, TestDatabase } from './test-database';
import { ADMIN, TestPeople } from './test-people';

/** The encryption key of tests, which is public. */
export const TEST_KEYS = `test:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64url')}`;

/** The environment variables of a service in a test. Its administrator is `ADMIN`. */
export const TEST_ENVIRONMENT: Readonly<Record<string, string>> = {
  NODE_ENV: 'test',
  ENCRYPTION_KEYS: TEST_KEYS,
  ADMIN_USERNAME: ADMIN.username,
  ADMIN_PASSWORD: ADMIN.password,
};

/** Options for `IdentityModule.forRoot` in a test of your application: minimal, fast and silent. */
export function testOptions(database: TestDatabase, more: IdentityOptions = {}): IdentityOptions {
  return {
    log: new RecordingLog(),
    ...(database.embedded && { embeddedDatabase: database.embedded }),
    ...more,
    environment: {
      ...TEST_ENVIRONMENT,
      ...(database.url !== undefined && { DATABASE_URL: database.url }),
      ...more.environment,
    },
    extensions: { passwordHasher: QuickHasher, ...more.extensions },
  };
}

export interface TestIdentityOptions {
  readonly identity?: IdentityOptions;
  /** A PostgreSQL on which the user may create databases, for a database that is dropped at the end. Default: embedded. */
  readonly serverUrl?: string;
  /** Modules of the host application. */
  readonly imports?: readonly HostModule[];
  readonly controllers?: readonly Type[];
  readonly providers?: readonly Provider[];
  /** Called before the start, to add the host's pipes, filters and guards. */
  readonly prepare?: (app: NestFastifyApplication) => void;
}

/** A service on a separate database, with helpers for its users. */
export class TestIdentity extends TestPeople {
  private constructor(
    readonly app: NestFastifyApplication,
    readonly database: TestDatabase,
  ) {
    super();
  }

  static async start(options: TestIdentityOptions = {}): Promise<TestIdentity> {
    const database = await openTestDatabase(options.serverUrl);
    try {
      return new TestIdentity(await startHost(database, options), database);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  client(): TestClient {
    return new TestClient(this.app);
  }

  /** Stops the service and closes its database. */
  async stop(): Promise<void> {
    await this.app.close();
    await this.database.close();
  }
}

async function startHost(database: TestDatabase, options: TestIdentityOptions): Promise<NestFastifyApplication> {
  const { identity = {}, imports = [], controllers = [], providers = [], prepare } = options;

  @Module({
    imports: [IdentityModule.forRoot(testOptions(database, identity)), ...imports],
    controllers: [...controllers],
    providers: [...providers],
  })
  class TestRoot {}

  const app = await NestFactory.create<NestFastifyApplication>(TestRoot, new FastifyAdapter(), {
    logger: false,
    abortOnError: false,
  });
  prepare?.(app);
  installHttp(app);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}
