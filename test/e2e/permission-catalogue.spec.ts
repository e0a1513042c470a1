import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredPermissions } from '../../src/platform/access';
import { languages } from '../../src/platform/i18n';
import { expectProblem } from '../support/service/expect-problem';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import { HOLD_AUTHORITY, itOnServer, SOMEBODY_WAITS } from '../support/service/on-server';
import { Problem, TestClient } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';

interface Entry {
  scope: string;
  permission_id: string;
  required_level: number;
  description: string;
  is_builtin: boolean;
}

describe('permission catalogue', () => {
  let service: TestService;
  let admin: TestClient;

  beforeAll(async () => {
    service = await TestService.start();
    admin = await service.admin();
  });

  afterAll(() => service.stop());

  const list = async (query = ''): Promise<Entry[]> =>
    (await admin.get<{ items: Entry[] }>(`/api/permission${query}`)).body.items;

  it.each(languages)('has a text in %s for exactly the declared permissions', (language) => {
    const file = join(__dirname, '../../i18n', language, 'permissions.json');
    const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>;
    const keys = Object.entries(texts).flatMap(([resource, actions]) =>
      Object.keys(actions).map((action) => `${resource}:${action}`),
    );
    expect(keys.sort()).toEqual(declaredPermissions());
  });

  it('lists declared permissions with the rank of the action, in the language of the caller', async () => {
    const builtin = (await list()).filter(({ is_builtin }) => is_builtin);
    expect(builtin.map(({ permission_id }) => permission_id)).toEqual(declaredPermissions());
    expect(builtin.find(({ permission_id }) => permission_id === 'role:update')).toEqual({
      scope: 'iam',
      permission_id: 'role:update',
      required_level: 3,
      description: expect.stringMatching(/^Change roles/) as string,
      is_builtin: true,
    });
    expect((await list('?lang=zh'))[0]!.description).toMatch(/\p{Script=Han}/u);
  });

  it('accepts permissions of other scopes and lists them by scope and permission', async () => {
    const add = (body: object): Promise<{ status: number; body: Entry }> => admin.post<Entry>('/api/permission', body);
    expect(
      await add({ scope: 'crm', permission_id: 'report:publish', required_level: 4, description: 'Publish' }),
    ).toMatchObject({
      status: 201,
      body: {
        scope: 'crm',
        permission_id: 'report:publish',
        required_level: 4,
        description: 'Publish',
        is_builtin: false,
      },
    });
    expect((await add({ scope: 'crm', permission_id: 'crm:note:read' })).body).toMatchObject({
      permission_id: 'note:read',
      required_level: 1,
    });
    expect((await add({ scope: 'crm', permission_id: 'note:archive' })).body).toMatchObject({
      required_level: 7,
      description: '',
    });
    expectProblem(await admin.post('/api/permission', { scope: 'crm', permission_id: 'note:read' }), 409, 'name_taken');
    const entries = (await list()).filter(({ scope }) => scope === 'crm');
    expect(entries.map(({ permission_id }) => permission_id)).toEqual(['note:archive', 'note:read', 'report:publish']);

    expect((await admin.delete('/api/permission/crm/note:archive')).status).toBe(204);
    expect((await admin.delete('/api/permission/crm/note%3Aread')).status).toBe(204);
    expect((await admin.delete('/api/permission/crm/note:read')).status).toBe(404);
    const events = await service.query(
      `SELECT action, before, after FROM audit_event WHERE target_type = 'permission' AND target_id = 'crm:note:archive' ORDER BY id`,
    );
    const entry = { scope: 'crm', permission_id: 'note:archive', required_level: null, description: '' };
    expect(events).toEqual([
      { action: 'permission.create', before: null, after: entry },
      { action: 'permission.delete', before: entry, after: null },
    ]);
  });

  it.each([
    ['the own scope', { scope: 'iam', permission_id: 'x:publish' }, 'scope', 'other_scope'],
    ['every scope', { scope: '*', permission_id: 'x:publish' }, 'scope', 'other_scope'],
    ['no scope', { permission_id: 'x:publish' }, 'scope', 'required'],
    ['a contradicting scope', { scope: 'crm', permission_id: 'erp:x:publish' }, 'scope', 'scope_disagrees'],
    ['every action', { scope: 'crm', permission_id: 'x:*' }, 'permission_id', 'one_permission'],
    ['every resource', { scope: 'crm', permission_id: '*:publish' }, 'permission_id', 'one_permission'],
    [
      'a level for a ranked action',
      { scope: 'crm', permission_id: 'x:read', required_level: 1 },
      'required_level',
      'standard_rank',
    ],
    ['an invalid level', { scope: 'crm', permission_id: 'x:publish', required_level: 8 }, 'required_level', 'max'],
  ])('rejects %s', async (_, body, field, code) => {
    const answer = await admin.post<Problem>('/api/permission', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ field, code }]);
  });

  it('accepts the longest permission, which appears in the audit and can be deleted by its name', async () => {
    const part = (letter: string): string => letter.repeat(50);
    const entry = { scope: part('s'), permission_id: `${part('r')}:${part('a')}` };
    expect(await admin.post('/api/permission', entry)).toMatchObject({ status: 201, body: entry });
    const found = await admin.get(`/api/audit?target_id=${entry.scope}:${entry.permission_id}`);
    expect(found.body).toMatchObject({ items: [{ action: 'permission.create', after: entry }] });
    const name = encodeURIComponent(entry.permission_id);
    expect((await admin.delete(`/api/permission/${entry.scope}/${name}`)).status).toBe(204);
  });

  itOnServer('is changed once by two requests that wait for the permission lock', async () => {
    const entry = { scope: 'crm', permission_id: 'note:lock' };
    const statusesOf = async (change: () => Promise<{ status: number }>): Promise<number[]> => {
      await service.query('BEGIN');
      await service.query(HOLD_AUTHORITY);
      const answers = Promise.all([change(), change()]);
      try {
        await eventually(
          () => service.query(SOMEBODY_WAITS),
          (rows) => rows.length === 2,
        );
      } finally {
        await service.query('ROLLBACK');
      }
      return (await answers).map(({ status }) => status).sort();
    };
    expect(await statusesOf(() => admin.post('/api/permission', entry))).toEqual([201, 409]);
    const path = `/api/permission/${entry.scope}/${entry.permission_id}`;
    expect(await statusesOf(() => admin.delete(path))).toEqual([204, 404]);
  });

  it('keeps declared permissions', async () => {
    const answer = await admin.delete('/api/permission/iam/role:read');
    expectProblem(answer, 409, 'in_use');
    expect((await admin.delete('/api/permission/iam/no:thing')).status).toBe(404);
    for (const path of ['IAM/rubbish', '%00/role:read', 'iam/%00', 'iam/iam:role:read', 'iam/*']) {
      expect((await admin.delete(`/api/permission/${path}`)).status).toBe(404);
    }
  });

  describe('sets the level that an unranked action requires', () => {
    let ann: UserWithGrants;
    const publishes = async (client = ann.client): Promise<number> =>
      (await client.get('/api/auth/verify?permission=shop:offer:publish')).status;

    it('applies a level immediately, on another instance within a second, and 7 without an entry', async () => {
      ann = await userWith(service, admin, 'publisher', {
        scope: 'shop',
        permission_id: 'offer:publish',
        level: 3,
      });
      const elsewhere = await (await service.another()).logIn('publisher');
      expect([await publishes(), await publishes(elsewhere)]).toEqual([403, 403]);
      await admin.post('/api/permission', { scope: 'shop', permission_id: 'offer:publish', required_level: 3 });
      expect(await publishes()).toBe(204);
      await eventually(
        () => publishes(elsewhere),
        (status) => status === 204,
        1.2,
      );
      await admin.delete('/api/permission/shop/offer:publish');
      expect(await publishes()).toBe(403);
      await eventually(
        () => publishes(elsewhere),
        (status) => status === 403,
        1.2,
      );
    });
  });

  it('can be changed only by a caller with all permissions in that scope', async () => {
    const body = { scope: 'erp', permission_id: 'bill:approve', required_level: 5 };
    const outsider = await userWith(service, admin, 'outsider', 'permission:create', 'permission:delete', {
      scope: 'erp',
      permission_id: '*:*',
      level: 6,
    });
    expectProblem(await outsider.client.post('/api/permission', body), 403, 'escalation_denied');
    const insider = await userWith(service, admin, 'insider', 'permission:create', 'permission:delete', 'erp:*:*');
    expect((await insider.client.post('/api/permission', body)).status).toBe(201);
    expectProblem(await outsider.client.delete('/api/permission/erp/bill:approve'), 403, 'escalation_denied');
    expect((await outsider.client.delete('/api/permission/erp/bill:unknown')).status).toBe(404);
    expect((await insider.client.delete('/api/permission/erp/bill:approve')).status).toBe(204);
    expectProblem(await insider.client.get('/api/permission'), 403, 'permission_denied');
  });
});
