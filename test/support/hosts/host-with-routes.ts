import { Delete, Module, Param, Post, Put } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  ApiController,
  AuditApi,
  Authenticated,
  CurrentCaller,
  defineSetting,
  IdentityModule,
  installHttp,
  integer,
  SettingsApi,
  UsersApi,
} from '../../../src';
import type { Caller, UserView } from '../../../src';
import { createHost, identityOptions } from './host-app';
import { TestClient } from '../service/test-client';
import { createTestDatabase, TestDatabase } from '../service/test-database';
import { PASSWORD } from '../service/test-service';

export const mostSeats = defineSetting({
  key: 'theatre.most_seats',
  defaultValue: 10,
  kind: integer({ minimum: 1, maximum: 100 }),
  sensitive: false,
});

@ApiController('theatre')
class TheatreController {
  constructor(
    private readonly users: UsersApi,
    private readonly audit: AuditApi,
    private readonly settings: SettingsApi,
  ) {}

  @Post('ushers')
  @Authenticated()
  async hire(@CurrentCaller() caller: Caller): Promise<object> {
    const { username } = await this.users.create({ username: 'usher_by', roles: ['admin'] }, { by: caller });
    return { username };
  }

  @Post('cleaners')
  @Authenticated()
  async clean(@CurrentCaller() caller: Caller): Promise<object> {
    const { username } = await this.users.create({ username: 'cleaner' });
    await this.audit.record({ action: 'theatre.clean', reason: 'dust' }, { by: caller });
    return { username };
  }

  @Delete('people/:id')
  @Authenticated()
  async dismiss(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    await this.users.delete(id, { by: caller });
  }

  @Put('seats')
  @Authenticated()
  async enlarge(@CurrentCaller() caller: Caller): Promise<void> {
    await this.settings.set(mostSeats, 30, { by: caller });
  }

  @Post('forgery')
  @Authenticated()
  async forge(@CurrentCaller() caller: Caller): Promise<object> {
    await this.users.create({ username: 'forged' }, { by: { ...caller } });
    return {};
  }
}

@Module({ imports: [], controllers: [TheatreController] })
class TheatreModule {}

export interface AuditRow {
  readonly action: string;
  readonly actor_name: string | null;
  readonly session_id: string | null;
  readonly request_id: string | null;
  readonly target_label: string | null;
  readonly reason: string | null;
}

/** A host whose code calls the service. */
export class TheatreHost {
  private made = 0;

  private constructor(
    private readonly app: NestFastifyApplication,
    private readonly database: TestDatabase,
  ) {}

  static async start(): Promise<TheatreHost> {
    const database = await createTestDatabase();
    @Module({ imports: [IdentityModule.forRoot(identityOptions(database)), TheatreModule] })
    class HostModule {}
    const app = await createHost(HostModule);
    installHttp(app);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    return new TheatreHost(app, database);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.database.drop();
  }

  get<T>(type: new (...parts: never[]) => T): T {
    return this.app.get<T>(type, { strict: false });
  }

  newUser(): Promise<UserView> {
    const username = `actor_${++this.made}`;
    return this.get(UsersApi).create({ username, password: PASSWORD, mustChangePassword: false });
  }

  async loggedIn(username: string, password = PASSWORD): Promise<TestClient> {
    const client = new TestClient(this.app);
    await client.post('/api/auth/login', { type: 'password', username, password });
    return client;
  }

  /** The audited acts, newest first. */
  audited(action: string): Promise<AuditRow[]> {
    return this.database.query<AuditRow>('SELECT * FROM audit_event WHERE action = $1 ORDER BY id DESC', [action]);
  }
}
