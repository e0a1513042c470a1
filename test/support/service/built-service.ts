import { Build, buildService, endServiceProcesses, PROCESS_KEYS, ServiceProcess } from './service-process';
import { createProcessDatabase, ProcessDatabase } from './test-database';

export const ADMIN_LOGIN = { type: 'password', username: 'admin', password: 'correct horse battery staple' };

export interface BuiltService {
  readonly build: Build;
  readonly database: ProcessDatabase;
  /** Environment of every process: the database, keys, and the password of the first administrator. */
  readonly environment: Readonly<Record<string, string>>;
  start(more?: Readonly<Record<string, string>>): ServiceProcess;
}

/** Call it within `describe`. One build and one database serve all its tests, and the last one ends all processes. */
export function builtService(): BuiltService {
  let build: Build;
  let database: ProcessDatabase;

  beforeAll(async () => {
    build = buildService();
    database = await createProcessDatabase(build.freshFolder());
  });

  afterAll(async () => {
    await endServiceProcesses();
    await database.drop();
    build.remove();
  });

  return {
    get build() {
      return build;
    },
    get database() {
      return database;
    },
    get environment() {
      return { ...database.environment, ENCRYPTION_KEYS: PROCESS_KEYS, ADMIN_PASSWORD: ADMIN_LOGIN.password };
    },
    start(more = {}) {
      return ServiceProcess.start(build, { ...this.environment, ...more });
    },
  };
}
