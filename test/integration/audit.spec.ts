import { AuditService, hostEntry } from '../../src/audit';
import { AuditPartitionsService } from '../../src/audit/log/audit-partitions.service';
import { AuditRepository } from '../../src/audit/log/audit.repository';
import { RequestContext, runInRequest } from '../../src/platform/context';
import { Transactions } from '../../src/platform/database';
import { Answer, Method, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';

interface Event {
  readonly at: Date;
  readonly action: string;
  readonly outcome: string;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly session_id: string | null;
  readonly target_type: string | null;
  readonly target_id: string | null;
  readonly target_label: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly request_id: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

const NEW = 'a quite different sentence';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('audit', () => {
  let service: TestService;
  let audit: AuditService;
  let transactions: Transactions;

  beforeAll(async () => {
    service = await TestService.start();
    audit = service.app.get(AuditService, { strict: false });
    transactions = service.app.get(Transactions, { strict: false });
  });

  afterAll(() => service.stop());

  const eventsOf = (requestId: unknown): Promise<Event[]> =>
    service.query<Event>('SELECT * FROM audit_event WHERE request_id = $1 ORDER BY action', [requestId]);
  const named = (action: string): Promise<Event[]> =>
    service.query<Event>('SELECT * FROM audit_event WHERE action = $1', [action]);

  describe('of a transaction', () => {
    it('throws outside a transaction', async () => {
      await expect(audit.record(hostEntry({ action: 'staged.outside' }))).rejects.toThrow(/outside a transaction/);
      expect(await named('staged.outside')).toEqual([]);
    });

    it('is stored with the act and its time', async () => {
      await transactions.run(() => audit.record(hostEntry({ action: 'staged.kept', after: { secret: '***' } })));
      const [event, ...more] = await named('staged.kept');
      expect(more).toEqual([]);
      expect(event).toMatchObject({ outcome: 'success', actor_id: null, request_id: null, after: { secret: '***' } });
      expect(Math.abs(Date.now() - (event?.at.getTime() ?? 0))).toBeLessThan(60_000);
    });

    it('names a client that acts for itself by a name that no user can have', async () => {
      const client = { id: '01900000-0000-7000-8000-00000000000a', clientId: 'x'.repeat(22), scopes: [] };
      const request = { requestId: 'machine', ip: '10.0.0.1', userAgent: '', client } as unknown as RequestContext;
      await runInRequest(request, () => transactions.run(() => audit.record(hostEntry({ action: 'staged.machine' }))));
      expect(await named('staged.machine')).toMatchObject([
        { actor_id: client.id, actor_name: `client:${client.clientId}`, session_id: null, request_id: 'machine' },
      ]);
    });

    it('is rolled back with the act', async () => {
      const failing = transactions.run(async () => {
        await audit.record(hostEntry({ action: 'staged.lost' }));
        throw new Error('staged');
      });
      await expect(failing).rejects.toThrow('staged');
      expect(await named('staged.lost')).toEqual([]);
    });

    it('rolls the act back when it cannot be written', async () => {
      const failing = transactions.run(async () => {
        await transactions.manager.query(`UPDATE user_account SET nickname = 'lost'`);
        await audit.record(hostEntry({ action: 'x'.repeat(65) }));
      });
      await expect(failing).rejects.toThrow();
      expect(await service.query(`SELECT 1 FROM user_account WHERE nickname = 'lost'`)).toEqual([]);
    });
  });

  describe('stored event', () => {
    const parts = async (): Promise<string[]> => {
      const rows = await service.query<{ name: string }>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_event'::regclass ORDER BY 1`,
      );
      return rows.map(({ name }) => name);
    };

    beforeAll(async () => {
      await transactions.run(() => audit.record(hostEntry({ action: 'staged.final' })));
      await service.query(
        `INSERT INTO audit_event (at, id, action, outcome)
         VALUES (now() + interval '10 years', gen_random_uuid(), 'staged.final', 'success')`,
      );
    });

    it.each([
      ['changed', `UPDATE audit_event SET outcome = 'failure'`],
      ['updated in one partition', `UPDATE audit_event SET reason = 'x' WHERE action = 'staged.final'`],
      ['deleted', 'DELETE FROM audit_event'],
      ['emptied', 'TRUNCATE audit_event'],
      ['moved to another time', `UPDATE audit_event SET at = at + interval '1 month'`],
    ])('cannot be %s', async (_, sql) => {
      await expect(service.query(sql)).rejects.toMatchObject({ message: 'audit_event is append-only' });
      expect(await named('staged.final')).toHaveLength(2);
    });

    it('is protected in each partition', async () => {
      for (const part of await parts()) {
        for (const sql of [`TRUNCATE ${part}`, `DELETE FROM ${part}`, `UPDATE ${part} SET outcome = 'failure'`]) {
          const attempt = service.query(sql);
          const isEmpty = (await service.query(`SELECT 1 FROM ${part} LIMIT 1`)).length === 0;
          if (isEmpty && !sql.startsWith('TRUNCATE')) await attempt;
          else await expect(attempt).rejects.toMatchObject({ message: 'audit_event is append-only' });
        }
      }
      expect(await named('staged.final')).toHaveLength(2);
    });

    it('lies in its partition, and partitions for this month and three more exist', async () => {
      const wanted = await service.query<{ name: string }>(
        `SELECT 'audit_event_' || to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => n), 'YYYY_MM') AS name
         FROM generate_series(0, 3) AS n`,
      );
      expect(await parts()).toEqual([...wanted.map(({ name }) => name), 'audit_event_other'].sort());
      const homes = await service.query<{ home: string }>(
        `SELECT DISTINCT tableoid::regclass::text AS home FROM audit_event ORDER BY 1`,
      );
      expect(homes.map(({ home }) => home)).toEqual([wanted[0]?.name, 'audit_event_other']);
    });

    it('causes no warning when another instance created a partition first', async () => {
      const repository = service.app.get(AuditRepository, { strict: false });
      const [name = ''] = await parts();
      const first = `${name.slice(-7).replace('_', '-')}-01`;
      const late = jest.spyOn(repository, 'monthsWithoutPartition');
      late.mockResolvedValueOnce([{ partition: name, first, next: first.replace(/-01$/, '-28') }]);
      await service.app.get(AuditPartitionsService, { strict: false }).ensure();
      late.mockRestore();
      expect(service.logLines.filter((line) => line.includes('Could not create the audit partition'))).toEqual([]);
    });

    it('moves from the default partition to missing ones that are created later', async () => {
      const before = await parts();
      const [, second = '', third = ''] = before;
      await service.query(`DROP TABLE ${second}`);
      await service.query(`DROP TABLE ${third}`);
      await service.query(
        `INSERT INTO audit_event (at, id, action, outcome)
         VALUES (to_date('${second.slice(-7)}', 'YYYY_MM') + interval '40 hours', gen_random_uuid(), 'staged.early', 'success')`,
      );
      await service.app.get(AuditPartitionsService, { strict: false }).ensure();
      expect(await parts()).toEqual(before);
      expect(service.logLines.filter((line) => line.includes('Could not create the audit partition'))).toEqual([]);
      expect(
        await service.query(`SELECT tableoid::regclass::text AS home FROM audit_event WHERE action = 'staged.early'`),
      ).toEqual([{ home: second }]);
      for (const part of [second, 'audit_event_other']) {
        await expect(service.query(`DELETE FROM ${part}`)).rejects.toMatchObject({
          message: 'audit_event is append-only',
        });
        await expect(service.query(`TRUNCATE ${part}`)).rejects.toMatchObject({
          message: 'audit_event is append-only',
        });
      }
    });

    it('does not block the creation of other partitions when one fails', async () => {
      const before = await parts();
      const [, second = '', third = ''] = before;
      const home = `${second}_elsewhere`;
      await service.query(`ALTER TABLE ${second} RENAME TO ${home}`);
      await service.query(`DROP TABLE ${third}`);
      await service.app.get(AuditPartitionsService, { strict: false }).ensure();
      await service.query(`ALTER TABLE ${home} RENAME TO ${second}`);
      expect(await parts()).toEqual(before);
      expect(
        service.logLines.filter(
          (line) => line.includes('Could not create the audit partition') && line.includes(second),
        ),
      ).toHaveLength(1);
    });
  });

  describe('through the API', () => {
    let username: string;
    let userId: string;
    let sessionId: string;
    let ann: TestClient;
    let names = 0;

    const send = async <T>(
      method: Method,
      path: string,
      body?: unknown,
      client = ann,
    ): Promise<[Answer<T>, Event[]]> => {
      const requestId = `audit-test-${++names}`;
      const headers = { 'x-request-id': requestId, 'user-agent': BROWSER };
      const answer = await client.send<T>(method, path, { headers, ...(body !== undefined && { body }) });
      return [answer, await eventsOf(requestId)];
    };
    const from = (client: TestClient): object => ({
      ip: client.address,
      user_agent: BROWSER,
      request_id: expect.stringMatching(/^audit-test-/) as string,
    });
    const mine = (): object => ({
      ...from(ann),
      outcome: 'success',
      actor_id: userId,
      actor_name: username,
      session_id: sessionId,
    });

    beforeEach(async () => {
      username = `audited_${++names}`;
      ann = await service.register(username);
      const login = await ann.post<{ user: { id: string }; session: { id: string } }>('/api/auth/login', {
        type: 'password',
        username,
        password: PASSWORD,
      });
      userId = login.body.user.id;
      sessionId = login.body.session.id;
    });

    it('records a registration', async () => {
      const guest = service.client();
      const [answer, events] = await send<{ user: { id: string } }>(
        'POST',
        '/api/auth/register',
        { username: `${username}_new`, password: PASSWORD, email: `${username}@example.com` },
        guest,
      );
      const { id } = answer.body.user;
      expect(events).toMatchObject([
        { ...from(guest), action: 'user.create', actor_id: id, session_id: null, target_type: 'user', target_id: id },
      ]);
    });

    it('records a login, and a failed one without the entered values', async () => {
      const guest = service.client();
      const credentials = { type: 'password', username: username.toUpperCase(), password: PASSWORD };
      const [answer, events] = await send<{ session: { id: string } }>('POST', '/api/auth/login', credentials, guest);
      expect(events).toMatchObject([
        { ...from(guest), action: 'login', outcome: 'success', actor_id: userId, session_id: answer.body.session.id },
      ]);

      const [, failed] = await send(
        'POST',
        '/api/auth/login',
        { ...credentials, password: 'a guess' },
        service.client(),
      );
      expect(failed).toMatchObject([{ action: 'login', outcome: 'failure', actor_id: null, target_id: userId }]);
      const [, unknown] = await send(
        'POST',
        '/api/auth/login',
        { ...credentials, username: 'no_such_name' },
        service.client(),
      );
      expect(unknown).toMatchObject([{ action: 'login', outcome: 'failure', actor_id: null, target_id: null }]);
      expect(JSON.stringify([failed, unknown])).not.toMatch(/a guess|no_such_name|correct horse/);
    });

    it.each<[string, Method, string, unknown, string[]]>([
      ['a changed profile', 'PATCH', '/api/auth/me', { nickname: 'Ann' }, ['user.update']],
      [
        'a changed password',
        'PUT',
        '/api/auth/me/password',
        { current_password: PASSWORD, new_password: NEW },
        ['password.change'],
      ],
      ['a reauthentication', 'POST', '/api/auth/reauthenticate', { password: PASSWORD }, ['session.reauthenticate']],
      ['a logout', 'POST', '/api/auth/logout', undefined, ['session.logout']],
      ['a deleted account', 'DELETE', '/api/auth/me', undefined, ['session.revoke_all', 'user.delete']],
    ])('records %s with exactly its event', async (_, method, path, body, actions) => {
      const [answer, events] = await send(method, path, body);
      expect(answer.status).toBeLessThan(300);
      expect(events.map(({ action }) => action)).toEqual(actions);
      for (const event of events) expect(event).toMatchObject(mine());
      expect(JSON.stringify(events)).not.toMatch(/correct horse|different sentence|argon2/);
    });

    it('records which session was revoked, or how many', async () => {
      const other = await service.logIn(username);
      const { body } = await other.get<{ items: { id: string; current: boolean }[] }>('/api/auth/sessions');
      const otherId = body.items.find(({ current }) => current)?.id;
      const [, one] = await send('DELETE', `/api/auth/sessions/${otherId}`);
      expect(one).toMatchObject([{ ...mine(), action: 'session.revoke', target_type: 'session', target_id: otherId }]);

      await service.logIn(username);
      await service.logIn(username);
      const [, all] = await send('DELETE', '/api/auth/sessions');
      expect(all).toMatchObject([
        { ...mine(), action: 'session.revoke_all', target_id: userId, after: { revoked: 2 } },
      ]);
    });

    it('records a password that could not be verified', async () => {
      const [, wrong] = await send('PUT', '/api/auth/me/password', { current_password: 'a guess', new_password: NEW });
      expect(wrong).toMatchObject([{ ...mine(), action: 'password.prove', outcome: 'failure', target_id: userId }]);
      const [, again] = await send('POST', '/api/auth/reauthenticate', { password: 'a guess' });
      expect(again).toMatchObject([{ ...mine(), action: 'password.prove', outcome: 'failure', target_id: userId }]);
    });

    it.each<[string, Method, string, unknown]>([
      ['reading', 'GET', '/api/auth/me', undefined],
      ['reading sessions', 'GET', '/api/auth/sessions', undefined],
      ['searching', 'POST', '/api/auth/users', { keyword: 'an' }],
      ['a rejected field', 'PATCH', '/api/auth/me', { status: 'disabled' }],
      ['a change without effect', 'PATCH', '/api/auth/me', { nickname: '' }],
      ['revoking other sessions without any', 'DELETE', '/api/auth/sessions', undefined],
      ['a session that does not exist', 'DELETE', '/api/auth/sessions/00000000-0000-7000-8000-000000000000', undefined],
    ])('records nothing for %s', async (_, method, path, body) => {
      const [, events] = await send(method, path, body);
      expect(events).toEqual([]);
    });
  });
});
