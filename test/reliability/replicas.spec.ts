import { eventually } from '../support/service/eventually';
import { describeWithPostgres, PostgresServer } from '../support/servers/postgres-server';
import { TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';

jest.setTimeout(180_000);

interface List {
  readonly items: readonly { readonly username: string }[];
}

describeWithPostgres('database replica', () => {
  let server: PostgresServer;
  let standby: PostgresServer;
  let service: TestService;
  let admin: TestClient;

  beforeAll(async () => {
    server = await PostgresServer.started();
    standby = await server.standby();
    // Most replicas are asynchronous.
    await server.query('ALTER SYSTEM RESET synchronous_standby_names');
    await server.query('SELECT pg_reload_conf()');
    service = await TestService.start({
      environment: { DATABASE_URL: server.url, DATABASE_REPLICA_URLS: standby.url },
    });
    admin = await service.admin();
  });

  afterAll(async () => {
    await service.stop();
    await standby.remove();
    await server.remove();
  });

  const isListed = async (username: string): Promise<boolean> => {
    const { status, body } = await admin.get<List>(`/api/user?keyword=${username}`);
    expect(status).toBe(200);
    return body.items.some((user) => user.username === username);
  };
  const make = async (username: string): Promise<string> => {
    const made = await admin.post<{ id: string }>('/api/user', { username, password: PASSWORD });
    expect(made.status).toBe(201);
    return made.body.id;
  };
  const logged = (words: string): number => service.logLines.filter((line) => line.includes(words)).length;

  it('serves lists and nothing else', async () => {
    await make('copied');
    await eventually(() => isListed('copied'), Boolean, 15);
    await standby.query('SELECT pg_wal_replay_pause()');
    const id = await make('ahead');
    expect(await isListed('ahead')).toBe(false);
    expect((await admin.get(`/api/user/${id}`)).status).toBe(200);
    expect(
      (await service.client().post('/api/auth/login', { type: 'password', username: 'ahead', password: PASSWORD }))
        .status,
    ).toBe(200);
    await standby.query('SELECT pg_wal_replay_resume()');
    await eventually(() => isListed('ahead'), Boolean, 15);
  });

  it('may be away: lists use the primary, one line is logged, and reads return to it later', async () => {
    await standby.crash();
    await make('meanwhile');
    expect(await isListed('meanwhile')).toBe(true);
    expect(await isListed('meanwhile')).toBe(true);
    expect(logged('A replica of the database is out of reach')).toBe(1);
    await standby.start();
    await eventually(
      async () => ({ listed: await isListed('copied'), back: logged('A replica of the database is back') }),
      ({ back }) => back === 1,
      30,
    );
    await standby.query('SELECT pg_wal_replay_pause()');
    await make('ahead_again');
    expect(await isListed('ahead_again')).toBe(false);
    await standby.query('SELECT pg_wal_replay_resume()');
  });
});
