import { createRole, UserWithGrants, userWith } from '../support/accounts/holders';
import { Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Result {
  scope: string;
  permission_id: string;
  level?: number;
  allowed: boolean;
  because: { source: string; role?: string; grant: object } | null;
  closest: object | null;
}
interface Checked {
  allowed: boolean;
  results: Result[];
}

const UNKNOWN = '01900000-0000-7000-8000-00000000cafe';

describe('POST /api/permission/check', () => {
  let service: TestService;
  let admin: TestClient;
  let ann: UserWithGrants;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    ann = await userWith(
      service,
      admin,
      'ann',
      { permission_id: 'report:*', level: 3 },
      { scope: 'a', permission_id: 'x:read', level: 1 },
    );
    const role = await createRole(
      admin,
      'keeper',
      { permission_id: 'note:admin', level: 7 },
      { permission_id: 'report:*', level: 1 },
    );
    await admin.put(`/api/role/${role.id}/users`, { user_ids: [ann.id] });
  });

  const check = async (...checks: object[]): Promise<Checked> =>
    (await ann.client.post<Checked>('/api/permission/check', { checks })).body;

  it('returns the grant that allows each permission, or the missing one', async () => {
    expect(
      await check(
        { permission_id: 'report:update' },
        { permission_id: 'iam:note:grant', level: 2 },
        { permission_id: 'report:delete' },
      ),
    ).toEqual({
      allowed: false,
      results: [
        {
          scope: 'iam',
          permission_id: 'report:update',
          allowed: true,
          because: { source: 'direct', grant: { scope: 'iam', permission_id: 'report:*', level: 3 } },
          closest: null,
        },
        {
          scope: 'iam',
          permission_id: 'note:grant',
          level: 2,
          allowed: true,
          because: { source: 'role', role: 'keeper', grant: { scope: 'iam', permission_id: 'note:admin', level: 7 } },
          closest: null,
        },
        {
          scope: 'iam',
          permission_id: 'report:delete',
          allowed: false,
          because: null,
          closest: { scope: 'iam', permission_id: 'report:delete', level: 4 },
        },
      ],
    });
  });

  // Grants match exactly, by `resource:*`, by `*` or by scope. A prefix never matches.
  it.each([
    ['report:read', undefined, true],
    ['report:read', 3, true],
    ['report:read', 4, false],
    ['report:update', 1, true],
    ['report:delete', undefined, false],
    ['report:publish', undefined, false],
    ['report:*', undefined, false],
    ['repor:read', undefined, false],
    ['reports:read', undefined, false],
    ['crm:report:read', undefined, false],
    ['a:x:read', undefined, true],
    ['ab:x:read', undefined, false],
    ['x:read', undefined, false],
    ['note:anything', undefined, true],
    ['note:*', 7, true],
    ['profile:update', undefined, true],
    ['*', undefined, false],
  ])('%s at level %s is %s', async (permission_id, level, allowed) => {
    const { results } = await check({ permission_id, ...(level !== undefined && { level }) });
    expect(results.map((result) => result.allowed)).toEqual([allowed]);
    expect(results[0]!.because === null).toBe(!allowed);
    expect(results[0]!.closest === null).toBe(allowed);
  });

  it('allows the request only when every permission is allowed', async () => {
    expect((await check({ permission_id: 'report:read' }, { permission_id: 'note:read' })).allowed).toBe(true);
    expect((await check({ permission_id: 'report:read' }, { permission_id: 'other:read' })).allowed).toBe(false);
  });

  it('follows each change of the role that explains the answer', async () => {
    const role = await createRole(admin, 'reader-of-maps', { permission_id: 'map:read', level: 1 });
    const explained = async () => (await check({ permission_id: 'map:read' })).results[0]!.because?.role;
    expect(await explained()).toBeUndefined();
    await admin.put(`/api/role/${role.id}/users`, { user_ids: [ann.id] });
    expect(await explained()).toBe('reader-of-maps');
    await admin.patch(`/api/role/${role.id}`, { name: 'map-reader' });
    expect(await explained()).toBe('map-reader');
    await admin.patch(`/api/role/${role.id}`, { remove: ['map:read'] });
    expect(await explained()).toBeUndefined();
  });

  it('returns * as *:*', async () => {
    expect((await check({ permission_id: '*' })).results).toMatchObject([
      { permission_id: '*:*', closest: { scope: 'iam', permission_id: '*:*', level: 7 } },
    ]);
  });

  it.each([
    ['no checks', { checks: [] }, 'checks', 'min_items'],
    ['too many', { checks: Array.from({ length: 101 }, () => ({ permission_id: 'a:read' })) }, 'checks', 'max_items'],
    [
      'a malformed one',
      { checks: [{ permission_id: 'a:read' }, { permission_id: 'A:read' }] },
      'checks[1].permission_id',
      'permission',
    ],
    [
      'a contradicting scope',
      { checks: [{ scope: 'b', permission_id: 'a:x:read' }] },
      'checks[0].scope',
      'scope_disagrees',
    ],
    ['an invalid id', { user_id: 'me', checks: [{ permission_id: 'a:read' }] }, 'user_id', 'id'],
  ])('rejects %s', async (_, body, field, code) => {
    const answer = await ann.client.post<Problem>('/api/permission/check', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ field, code }]);
  });

  it('requires permission:read for other users but not for the caller', async () => {
    const checks = [{ permission_id: 'report:update' }];
    const bob = await userWith(service, admin, 'bob');
    expect((await bob.client.post('/api/permission/check', { user_id: bob.id, checks })).status).toBe(200);
    const denied = await bob.client.post('/api/permission/check', { user_id: ann.id, checks });
    expect(denied).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', params: { permission: 'permission:read' } },
    });
    // The error does not reveal whether the user exists.
    expect((await bob.client.post('/api/permission/check', { user_id: UNKNOWN, checks })).status).toBe(403);
    const reader = await userWith(service, admin, 'reader', 'permission:read');
    const seen = await reader.client.post<Checked>('/api/permission/check', { user_id: ann.id, checks });
    expect(seen.body.allowed).toBe(true);
    expect((await reader.client.post('/api/permission/check', { user_id: UNKNOWN, checks })).status).toBe(404);
  });
});
