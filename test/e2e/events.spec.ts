import { AuditPositionsService } from '../../src/audit/log/audit-positions.service';
import { EventCursorsService } from '../../src/events/feed/event-cursors.service';
import { newId } from '../../src/platform/crypto';
import { Transactions } from '../../src/platform/database';
import { endOfFeed, EventPage, eventsSince, FeedItem, readOn, recordAct } from '../support/receivers/events';
import { expectProblem } from '../support/service/expect-problem';
import { bearer } from '../support/hosts/guarded-service';
import { createRole, userWith } from '../support/accounts/holders';
import { basic, post, register } from '../support/oauth/oauth';
import { itOnServer } from '../support/service/on-server';
import { Answer, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let reader: TestClient;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  reader = (await userWith(service, admin, 'reader', 'event:read')).client;
});

const get = (client: TestClient, query = ''): Promise<Answer<EventPage>> => client.get<EventPage>(`/api/event${query}`);
const end = (): Promise<string> => endOfFeed(service, admin);
const since = async (cursor: string, client = reader): Promise<FeedItem[]> =>
  (await eventsSince(service, client, cursor)).items;
const namesSince = async (cursor: string): Promise<unknown[]> =>
  (await since(cursor, admin)).map(({ subject }) => subject?.name);

/** Sets what is added to the number of a transaction. */
const setSummand = async (summand: number): Promise<void> => {
  await service.query(
    `CREATE OR REPLACE FUNCTION audit_event_position(xid8) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT
     AS 'SELECT $1::text::bigint + ${summand}'`,
  );
};

describe('GET /api/event', () => {
  it('requires the permission', async () => {
    const ann = await service.signUp('ann');
    expectProblem(await get(ann), 403, 'permission_denied');
  });

  it('returns events oldest first, and continues without gap and repeat', async () => {
    const start = await end();
    const bob = await service.signUp('bob');
    await bob.patch('/api/auth/me', { nickname: 'B' });
    await bob.post('/api/auth/logout');
    const { items: all, cursor: last } = await eventsSince(service, reader, start);
    expect(all.map(({ type }) => type)).toEqual(['user.created', 'login.succeeded', 'user.updated', 'session.ended']);

    const read: FeedItem[] = [];
    let cursor = start;
    for (let page = 0; page < all.length; page++) {
      const { body } = await get(reader, `?limit=1&cursor=${encodeURIComponent(cursor)}`);
      read.push(...body.items);
      cursor = body.next_cursor;
    }
    expect(read).toEqual(all);
    expect((await get(reader, `?cursor=${encodeURIComponent(last)}`)).body).toEqual({ items: [], next_cursor: last });
  });

  it('shows ids, and names only with audit:read', async () => {
    const start = await end();
    const cid = await service.signUp('cid');
    const { id } = (await cid.get<{ id: string }>('/api/auth/me')).body;
    const [pseudonymous] = await since(start);
    expect(pseudonymous).toMatchObject({
      type: 'user.created',
      actor: { type: 'user', id, name: null },
      subject: { type: 'user', id, name: null },
      data: { version: 1, source: 'register' },
    });
    expect(JSON.stringify(await since(start))).not.toContain('cid');
    const [named] = await since(start, admin);
    expect(named).toEqual({
      ...pseudonymous,
      actor: { type: 'user', id, name: 'cid' },
      subject: { type: 'user', id, name: 'cid' },
    });
  });

  it('filters by type and by prefix', async () => {
    const start = await end();
    const dan = await service.signUp('dan');
    await dan.post('/api/auth/logout');
    await since(start);
    const typesOf = async (types: string): Promise<string[]> =>
      (await readOn(reader, start, `&types=${types}`)).items.map(({ type }) => type);
    expect(await typesOf('session.ended')).toEqual(['session.ended']);
    expect(await typesOf('user.*,session.ended')).toEqual(['user.created', 'session.ended']);
    expect(await typesOf('organization.*')).toEqual([]);
  });

  it.each(['user', 'user.none', 'us*', '*', 'user.created,', 'webhook.test'])('rejects the types %s', async (types) => {
    const { status, body } = await admin.get<{ errors: object[] }>(`/api/event?types=${encodeURIComponent(types)}`);
    expect([status, body.errors]).toMatchObject([400, [{ field: 'types', code: 'event_types' }]]);
  });

  it('rejects a forged cursor, and one that is ahead of the database', async () => {
    const forged = await admin.get<{ errors: object[] }>('/api/event?cursor=forged');
    expect(forged).toMatchObject({ status: 400, body: { errors: [{ field: 'cursor', code: 'cursor' }] } });
    await setSummand(1_000_000);
    const cursor = await end();
    await setSummand(0);
    const ahead = await admin.get<{ errors: object[] }>(`/api/event?cursor=${encodeURIComponent(cursor)}`);
    expect(ahead).toMatchObject({ status: 400, body: { errors: [{ field: 'cursor', code: 'cursor_lost' }] } });
  });

  it('rejects a cursor only if the events after it may have been deleted', async () => {
    const cursors = service.app.get(EventCursorsService, { strict: false });
    const at = new Date(Date.now() - 40 * 86_400_000);
    const [gone, kept] = [newId(), newId()];
    const statusAt = async (id: string): Promise<number> => {
      const cursor = cursors.write({ position: '1', id, ordinal: 0, at });
      return (await get(reader, `?cursor=${encodeURIComponent(cursor)}`)).status;
    };
    await service.query(
      `INSERT INTO audit_event (id, at, action, outcome, position) VALUES ($1, $2, 'x', 'success', 1)`,
      [kept, at],
    );
    expect([await statusAt(gone), await statusAt(kept)]).toEqual([400, 200]);
  });

  it('serves OAuth clients with the permission, and shows them no names', async () => {
    const start = await end();
    await recordAct(service, 'named');
    await since(start);
    const namesFor = async (...scopes: string[]): Promise<unknown> => {
      const app = await register(admin, { redirect_uris: [], grant_types: ['client_credentials'], scopes });
      const form = { grant_type: 'client_credentials', scope: scopes.join(' '), resource: 'urn:castellan:iam' };
      const { body: token } = await post(service, '/api/oauth/token', form, basic(app));
      const { status, body } = await service
        .client()
        .get<EventPage>(`/api/event?cursor=${encodeURIComponent(start)}`, bearer(String(token['access_token'])));
      return status === 200 ? body.items[0]?.subject?.name : status;
    };
    expect(await namesFor('role:read')).toBe(403);
    expect(await namesFor('event:read')).toBeNull();
    expect(await namesFor('event:read', 'audit:read')).toBeNull();
  });

  it('continues after a restore in a cluster whose transaction numbers are lower', async () => {
    await setSummand(2_000_000);
    const cursor = await end();
    await setSummand(0);
    await service.app.get(AuditPositionsService, { strict: false }).ensure();
    await recordAct(service, 'after the restore');
    expect(await namesSince(cursor)).toEqual(['after the restore']);
  });

  it('contains no event of a transaction that is rolled back', async () => {
    const start = await end();
    const failing = service.app.get(Transactions).run(async () => {
      await recordAct(service, 'rolled back');
      throw new Error('staged');
    });
    await expect(failing).rejects.toThrow('staged');
    await recordAct(service, 'committed');
    expect(await namesSince(start)).toEqual(['committed']);
  });

  itOnServer('does not skip an older transaction that commits later', async () => {
    const start = await end();
    let commit = (): void => undefined;
    const isCommitted = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let hasWritten = (): void => undefined;
    const isWritten = new Promise<void>((resolve) => {
      hasWritten = resolve;
    });
    const older = service.app.get(Transactions).run(async () => {
      await recordAct(service, 'older');
      await service.app.get(Transactions).rows('SELECT pg_current_xact_id()', []);
      hasWritten();
      await isCommitted;
    });
    await isWritten;
    await recordAct(service, 'younger');
    const early = await readOn(admin, start);
    expect(early.items).toEqual([]);
    commit();
    await older;
    expect(await namesSince(early.cursor)).toEqual(['older', 'younger']);
  });

  it('gives each event of a batch an id and reads a batch in parts', async () => {
    const users = await Promise.all(['eve', 'fay', 'gus'].map((name) => service.signUp(name)));
    const ids = await Promise.all(users.map(async (user) => (await user.get<{ id: string }>('/api/auth/me')).body.id));
    const role = await createRole(admin, 'editor');
    const start = await end();
    await admin.put(`/api/role/${role.id}/users`, { user_ids: ids });
    const whole = await since(start);
    expect(whole.map(({ subject }) => subject?.id).sort()).toEqual([...ids].sort());
    for (const { type, data } of whole) {
      expect([type, data]).toEqual(['role.assigned', { version: 1, role_ids: [role.id] }]);
    }
    expect(new Set(whole.map(({ id }) => id)).size).toBe(3);
    const first = (await get(reader, `?limit=2&cursor=${encodeURIComponent(start)}`)).body;
    expect(first.items).toEqual(whole.slice(0, 2));
    expect(await since(first.next_cursor)).toEqual(whole.slice(2));
  });
});

describe('GET /api/event/recent', () => {
  const recent = async (query: string): Promise<{ items: FeedItem[]; next_cursor: string | null }> =>
    (await admin.get<{ items: FeedItem[]; next_cursor: string | null }>(`/api/event/recent${query}`)).body;

  it('returns events newest first, page by page, also within a batch', async () => {
    const start = await end();
    const users = await Promise.all(['hal', 'ina', 'jim'].map((name) => service.signUp(name)));
    const ids = await Promise.all(users.map(async (user) => (await user.get<{ id: string }>('/api/auth/me')).body.id));
    const role = await createRole(admin, 'author');
    await admin.put(`/api/role/${role.id}/users`, { user_ids: ids });
    const wanted = (await since(start, admin)).reverse();
    const found: FeedItem[] = [];
    let cursor: string | null = '';
    while (cursor !== null && found.length <= wanted.length) {
      const page = await recent(`?limit=2&cursor=${encodeURIComponent(cursor)}`);
      found.push(...page.items.filter(({ id }) => wanted.some((event) => event.id === id)));
      if (found.length === wanted.length) break;
      cursor = page.next_cursor;
    }
    expect(found).toEqual(wanted);
  });

  it('filters by type, ends with null, and rejects the cursor of the feed', async () => {
    await createRole(admin, 'filtered');
    await since(await end());
    const { items, next_cursor } = await recent('?limit=100&types=role.created');
    expect(items[0]).toMatchObject({ type: 'role.created', subject: { name: 'filtered' } });
    expect(new Set(items.map(({ type }) => type))).toEqual(new Set(['role.created']));
    expect(next_cursor).toBeNull();
    const path = `/api/event/recent?cursor=${encodeURIComponent(await end())}`;
    expectProblem(await admin.get(path), 400, 'validation_failed');
  });

  it('shows names only with audit:read', async () => {
    const { body } = await reader.get<{ items: FeedItem[] }>('/api/event/recent?types=role.*');
    expect(body.items.map(({ subject }) => subject?.name)).toEqual(body.items.map(() => null));
  });
});
