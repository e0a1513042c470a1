import { anyUserWith, createRole, UserWithGrants, userWith } from '../support/accounts/holders';
import { addMember, createOrganization, within } from '../support/organizations/organizations';
import { Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { expectProblem } from '../support/service/expect-problem';
import { withService } from '../support/service/with-service';

describe('GET /api/auth/verify', () => {
  let service: TestService;
  let admin: TestClient;
  let ann: UserWithGrants;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    ann = await userWith(
      service,
      admin,
      'Ann',
      { permission_id: 'report:*', level: 3 },
      { scope: 'crm', permission_id: 'note:read', level: 1 },
    );
  });

  const verify = (query = '', client = ann.client) => client.get<Problem>(`/api/auth/verify${query}`);

  it('returns the logged-in user in headers alone', async () => {
    const { body } = await ann.client.get<{ items: { id: string }[] }>('/api/auth/sessions');
    const answer = await verify();
    expect(answer).toMatchObject({ status: 204, text: '', setCookies: [] });
    expect(answer.headers).toMatchObject({
      'x-user-id': ann.id,
      'x-username': 'Ann',
      'x-session-id': body.items[0]!.id,
      'cache-control': 'no-store',
    });
  });

  it('returns 401 without details to an anonymous client', async () => {
    const answer = await verify('?permission=report:read', service.client());
    expectProblem(answer, 401, 'unauthenticated');
    expect(answer.headers).not.toHaveProperty('x-user-id');
  });

  it.each([
    ['?permission=report:update', 204],
    ['?permission=report:update&level=3', 204],
    ['?permission=report:update&level=4', 403],
    ['?permission=report:delete', 403],
    ['?permission=iam:report:read', 204],
    ['?permission=report:read&scope=iam', 204],
    ['?permission=report:read&scope=crm', 403],
    ['?permission=note:read&scope=crm', 204],
    ['?permission=crm:note:read&scope=crm', 204],
    ['?permission=*', 403],
  ])('returns for %s the status %i', async (query, status) => {
    const answer = await verify(query);
    expect(answer.status).toBe(status);
    expect('x-user-id' in answer.headers).toBe(status === 204);
  });

  // A wrong proxy configuration must not let every request pass.
  it.each([
    ['?permission=', 'permission', 'permission'],
    ['?permission=report', 'permission', 'permission'],
    ['?permission=report:read&scope=', 'scope', 'scope'],
    ['?permission=crm:note:read&scope=iam', 'scope', 'scope_disagrees'],
    ['?permission=report:read&level=0', 'level', 'min'],
    ['?permission=report:read&level=high', 'level', 'type_integer'],
    ['?scope=iam', 'permission', 'required'],
    ['?level=3', 'permission', 'required'],
    ['?permision=report:read', 'permision', 'unknown_field'],
    ['?permission=report:read&permission=x:read', 'permission', 'given_twice'],
  ])('rejects %s', async (query, field, code) => {
    const answer = await verify(query);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ field, code }]);
  });

  it('judges within the organization of the header, like every route', async () => {
    const [home, away] = [await createOrganization(admin, 'home'), await createOrganization(admin, 'away')];
    const bob = await anyUserWith(service, admin);
    await addMember(admin, home, bob, await createRole(admin, 'editor', { permission_id: 'report:update', level: 3 }));
    await addMember(admin, away, bob);
    const statusOf = async (query: string, options = {}): Promise<number> =>
      (await bob.client.get(`/api/auth/verify${query}`, options)).status;
    expect(await statusOf('?permission=report:update', within(home))).toBe(204);
    expect(await statusOf('?permission=report:delete', within(home))).toBe(403);
    expect(await statusOf('?permission=report:update', within(away))).toBe(403);
    expect(await statusOf('?permission=report:update')).toBe(403);
    expect(await statusOf('', within(home))).toBe(204);
    const foreign = await createOrganization(admin, 'foreign');
    expect(await statusOf('', within(foreign))).toBe(404);
    expect((await ann.client.get('/api/auth/verify?permission=report:update', within(home))).status).toBe(404);
  });

  it('rejects a user who must change the password', async () => {
    const bob = await userWith(service, admin, 'bob', 'report:read');
    expect((await verify('', bob.client)).status).toBe(204);
    await service.query('UPDATE user_account SET must_change_password = true WHERE id = $1', [bob.id]);
    const fresh = await service.logIn('bob');
    expectProblem(await verify('', fresh), 403, 'password_change_required');
  });
});
