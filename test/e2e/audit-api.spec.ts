import { once } from 'node:events';
import { IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { AuditService } from '../../src/audit';
import { AuditLogService } from '../../src/audit/log/audit-log.service';
import { newId } from '../../src/platform/crypto';
import { sessionActs } from '../../src/session';
import { Transactions } from '../../src/platform/database';
import { readCsv } from '../../src/platform/util';
import { writeEvents } from '../support/documents/audit-events';
import { countReads } from '../support/documents/audit-reads';
import { expectProblem } from '../support/service/expect-problem';
import { listen } from '../support/service/raw-http';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { ADMIN, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Event {
  id: string;
  at: string;
  action: string;
  outcome: string;
  actor: { id: string; username: string } | null;
  session_id: string | null;
  target: { type: string; id: string | null; label: string | null } | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  before: object | null;
  after: object | null;
  reason: string | null;
  /** Only in the list. */
  title?: string;
}
interface List {
  items: Event[];
  next_cursor: string | null;
  page_size: number;
}

const MEMBERS = 'action actor after at before id ip outcome reason request_id session_id target title user_agent'.split(
  ' ',
);

describe('audit API', () => {
  let service: TestService;
  let admin: TestClient;
  let adminId: string;
  let ann: TestClient;
  let annId: string;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    adminId = (await admin.get<{ id: string }>('/api/auth/me')).body.id;
    ann = await service.signUp('ann');
    annId = (await ann.get<{ id: string }>('/api/auth/me')).body.id;
    for (const nickname of ['A', 'B', 'C']) await ann.patch('/api/auth/me', { nickname });
    await service.client().post('/api/auth/login', { type: 'password', username: 'ann', password: 'not hers' });
  });

  const get = <T = List>(query = ''): Promise<Answer<T>> => admin.get<T>(`/api/audit${query}`);
  const items = async (query = ''): Promise<Event[]> => (await get(query)).body.items;

  const write = (count: number, action: string, at?: string): Promise<void> =>
    writeEvents(service, { count, action, actorId: annId, at });

  const collect = async (query: string): Promise<Event[]> => {
    const found: Event[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: Answer<List> = await get(`${query}&cursor=${encodeURIComponent(cursor)}`);
      found.push(...body.items);
      cursor = body.next_cursor;
    }
    return found;
  };

  describe('GET /api/audit', () => {
    it('lists events newest first with actor, target, IP and reason', async () => {
      const [event] = await items('?action=user.create&actor_id=' + annId);
      expect(Object.keys(event!).sort()).toEqual(MEMBERS);
      expect(event).toMatchObject({
        action: 'user.create',
        outcome: 'success',
        actor: { id: annId, username: 'ann' },
        session_id: null,
        target: { type: 'user', id: annId, label: 'ann' },
        ip: ann.address,
        before: null,
        reason: null,
      });
      expect(event?.request_id).toMatch(/^[\w.-]+$/);
      expect(event?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const order = (await items()).map(({ at, id }) => `${at} ${id}`);
      expect(order).toEqual([...order].sort().reverse());
    });

    it("names actions in the caller's language, and those of hosts by their code", async () => {
      const titlesOf = async (query: string): Promise<unknown[]> =>
        (await items(`?page_size=1&${query}`)).map(({ title }) => title);
      expect(await titlesOf('action=user.create')).toEqual(['User created']);
      expect(await titlesOf('action=user.create&lang=zh')).toEqual(['创建用户']);
      await write(1, 'trial.named');
      expect(await titlesOf('action=trial.named')).toEqual(['trial.named']);
    });

    it.each([
      ['action=login', ({ action }: Event) => action === 'login'],
      ['target_type=session', ({ target }: Event) => target?.type === 'session'],
      ['outcome=failure', ({ outcome }: Event) => outcome === 'failure'],
      ['outcome=success', ({ outcome }: Event) => outcome === 'success'],
      ['action=no.such', () => false],
    ])('filters by %s', async (query, belongs) => {
      const all = await items('?page_size=100');
      const found = await items(`?page_size=100&${query}`);
      expect(found).toEqual(all.filter(belongs));
    });

    it('filters by the user that an action concerns', async () => {
      const session = newId();
      await service.app
        .get(Transactions)
        .run(() =>
          service.app
            .get(AuditService)
            .record(sessionActs.revoke, { target: { type: 'session', id: session }, before: { user_id: annId } }),
        );
      const all = await items('?page_size=100');
      const found = await items(`?page_size=100&user_id=${annId}`);
      expect(found.filter(({ target }) => target?.id === session)).toHaveLength(1);
      const isOf = ({ actor, target }: Event): boolean =>
        actor?.id === annId || (target?.type === 'user' && target.id === annId) || target?.id === session;
      expect(found).toEqual(all.filter(isOf));
    });

    it('filters by actor, by target and by both', async () => {
      const all = await items('?page_size=100');
      const byActor = all.filter(({ actor }) => actor?.id === annId);
      const byTarget = all.filter(({ target }) => target?.type === 'user' && target.id === adminId);
      expect(byActor.length).toBeGreaterThan(1);
      expect(byTarget.length).toBeGreaterThan(0);
      expect(await items(`?page_size=100&actor_id=${annId}`)).toEqual(byActor);
      expect(await items(`?page_size=100&target_type=user&target_id=${adminId}`)).toEqual(byTarget);
      expect(await items(`?actor_id=${annId}&target_type=user&target_id=${adminId}`)).toEqual([]);
    });

    it('filters by time, with `from` inclusive and `to` exclusive', async () => {
      await write(30, 'trial.time', `timestamptz '2031-05-05 12:00Z'`);
      const all = await items('?action=trial.time&page_size=100');
      const moments = [...new Set(all.map(({ at }) => at))];
      expect(moments.length).toBeGreaterThan(2);
      const [newest, middle] = moments as [string, string];
      expect((await items(`?action=trial.time&page_size=100&from=${middle}`)).length).toBe(
        all.filter(({ at }) => at >= middle).length,
      );
      expect((await items(`?action=trial.time&page_size=100&from=${middle}&to=${newest}`)).map(({ at }) => at)).toEqual(
        all.filter(({ at }) => at === middle).map(({ at }) => at),
      );
      const inChina = encodeURIComponent(middle.replace('T12:', 'T20:').replace('T11:', 'T19:').replace('Z', '+08:00'));
      expect(await items(`?action=trial.time&page_size=100&from=${inChina}`)).toEqual(
        await items(`?action=trial.time&page_size=100&from=${middle}`),
      );
    });

    it('pages without gaps or repeats while events are added', async () => {
      await write(57, 'trial.many');
      const first = await get('?action=trial.many&page_size=10');
      expect(first.body.page_size).toBe(10);
      await write(5, 'trial.many', `now() + interval '1 hour'`);
      const { body } = await get(
        `?action=trial.many&page_size=100&cursor=${encodeURIComponent(first.body.next_cursor ?? '')}`,
      );
      expect(body.next_cursor).toBeNull();
      const seen = [...first.body.items, ...body.items].map(({ id }) => id);
      expect(new Set(seen).size).toBe(57);
      expect(await collect('?action=trial.many&page_size=7')).toHaveLength(62);
    });

    it.each([
      ['actor_id=ann', 'actor_id', 'id'],
      ['from=yesterday', 'from', 'time'],
      ['to=2031-02-03', 'to', 'time'],
      ['from=0000-01-01T00:00:00Z', 'from', 'time'],
      ['from=2031-13-01T00:00:00Z', 'from', 'time'],
      ['outcome=bad', 'outcome', 'one_of'],
      ['format=csv', 'format', 'unknown_field'],
      ['page_size=0', 'page_size', 'min'],
      ['page_size=101', 'page_size', 'max'],
      ['page=1', 'page', 'unknown_field'],
      ['cursor=rubbish', 'cursor', 'cursor'],
      ['action=a&action=b', 'action', 'given_twice'],
      ['target_id=%00', 'target_id', 'well_formed'],
      [`action=${'x'.repeat(65)}`, 'action', 'max_length'],
    ])('rejects %s', async (query, field, code) => {
      const answer = await get<Problem>(`?${query}`);
      expectProblem(answer, 400, 'validation_failed');
      expect(answer.body.errors).toMatchObject([{ field, code }]);
    });

    it('rejects the cursor of another query', async () => {
      const { body } = await get('?action=trial.many&page_size=10');
      const answer = await get<Problem>(`?action=login&cursor=${encodeURIComponent(body.next_cursor ?? '')}`);
      expect(answer.body.errors).toMatchObject([{ field: 'cursor', code: 'cursor' }]);
    });

    it.each(['', '/export'])('rejects a caller without audit:read (%s)', async (path) => {
      expectProblem(await ann.get<Problem>(`/api/audit${path}`), 403, 'permission_denied');
      expect((await service.client().get(`/api/audit${path}`)).status).toBe(401);
    });
  });

  describe('GET /api/audit/export', () => {
    const lines = (text: string): Event[] =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Event);

    let port: number;

    /** Sends the request over a real connection and does not read the body. */
    const begin = (): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const headers = { cookie: admin.cookie };
        request({ port, host: '127.0.0.1', path: '/api/audit/export', agent: false, headers }, resolve)
          .on('error', reject)
          .end();
      });

    beforeAll(async () => {
      await write(1_234, 'trial.export');
      port = await listen(service.app);
    });

    it('exports one JSON object per line, in the form and order of the list, across several batches', async () => {
      const answer = await admin.get<string>('/api/audit/export?action=trial.export');
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/x-ndjson',
        'content-disposition': 'attachment; filename="audit.ndjson"',
        'cache-control': 'no-store',
      });
      expect(answer.text.endsWith('\n')).toBe(true);
      const exported = lines(answer.text);
      expect(exported).toHaveLength(1_234);
      const listed = await collect('?action=trial.export&page_size=100');
      expect(exported).toEqual(listed.map(({ title: _title, ...event }) => event));
    });

    it('exports the same events as CSV', async () => {
      const answer = await admin.get<string>(`/api/audit/export?action=trial.export&actor_id=${annId}&format=csv`);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="audit.csv"',
      });
      const [head, ...rows] = [...readCsv(answer.text)];
      const place = head!.cells.indexOf('id');
      const listed = await collect(`?action=trial.export&actor_id=${annId}&page_size=100`);
      expect(rows.map(({ cells }) => cells[place])).toEqual(listed.map(({ id }) => id));
      expect((await admin.get('/api/audit/export?format=xml')).status).toBe(400);
    });

    it('applies the filters of the list', async () => {
      const answer = await admin.get<string>(`/api/audit/export?action=trial.export&actor_id=${annId}`);
      const exported = lines(answer.text);
      expect(exported).toHaveLength(617);
      expect(new Set(exported.map(({ actor }) => actor?.id))).toEqual(new Set([annId]));
      expect((await admin.get('/api/audit/export?action=no.such')).text).toBe('');
      expect((await admin.get('/api/audit/export?cursor=x')).status).toBe(400);
    });

    it('records the export in the audit', async () => {
      await admin.get(`/api/audit/export?target_id=${annId}`);
      expect(await items('?action=audit.export&page_size=1')).toMatchObject([
        { actor: { username: ADMIN.username }, after: { target_id: annId } },
      ]);
    });

    it('reads rows only as fast as the client does, so memory stays bounded', async () => {
      const read = countReads(service);
      read.endless();
      const exports = jest.spyOn(service.app.get(AuditLogService), 'export');
      const response = await begin();
      await new Promise((resolve) => response.once('readable', resolve));
      // The client stops reading. Once the socket buffers are full, the export must stop querying the database.
      await settled(() => read.count);
      expect(read.count).toBeLessThan(40);
      expect((await service.client().get('/health/ready')).status).toBe(200);
      const exported = (await exports.mock.results[0]!.value) as Readable;
      const closed = once(exported, 'close', { signal: AbortSignal.timeout(10_000) });
      response.destroy();
      await closed;
      exports.mockRestore();
      read.restore();
    });

    it('aborts the response when a read fails', async () => {
      const read = countReads(service);
      read.failAfter(1);
      const response = await begin();
      expect(response.statusCode).toBe(200);
      await expect(response.toArray()).rejects.toThrow('aborted');
      expect(service.logLines.join('\n')).toContain('Audit export failed');
      read.failAfter(0);
      expect((await admin.get('/api/audit/export')).status).toBe(500);
      read.restore();
    });
  });
});

/** Waits until the count has not changed for half a second. Throws when that takes longer than `seconds`. */
async function settled(count: () => number, seconds = 15): Promise<void> {
  const deadline = performance.now() + seconds * 1_000;
  let last = count();
  for (let looks = 0; looks < 10; looks++) {
    if (performance.now() > deadline) {
      throw new Error(`The export still reads after ${seconds} s: ${last} reads so far`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (count() !== last) looks = 0;
    last = count();
  }
}
