import { newId } from '../../src/platform/crypto';
import { actAsEnabled } from '../../src/session';
import { Account, logInLongAgo } from '../support/accounts/accounts';
import { ACT_AS, actAs, stopActing } from '../support/accounts/acting';
import { expectProblem } from '../support/service/expect-problem';
import { createRole, userWith } from '../support/accounts/holders';
import { createRoleOf } from '../support/organizations/organization-roles';
import { addMember, createOrganization } from '../support/organizations/organizations';
import { enrolTotp } from '../support/accounts/second-factors';
import { Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const EXPORT = '/api/auth/me/export';

interface OwnData {
  readonly format: string;
  readonly profile: Account;
  readonly second_factors: readonly object[];
  readonly sessions: readonly {
    readonly id: string;
    readonly current: boolean;
    readonly ip: string | null;
    readonly actor?: object;
  }[];
  readonly organizations: readonly { readonly slug: string; readonly roles: readonly string[] }[];
  readonly roles: readonly { readonly name: string }[];
  readonly activity: readonly Readonly<Record<string, string | null>>[];
  readonly activity_is_complete: boolean;
}

describe(`GET ${EXPORT}`, () => {
  let service: TestService;
  let admin: TestClient;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  const dataOf = async (client: TestClient): Promise<OwnData> => (await client.get<OwnData>(EXPORT)).body;

  it('returns all parts as a file, without secrets', async () => {
    const ann = await service.signUp('own_ann', { email: 'own_ann@example.com' });
    await service.logIn('own_ann');
    const { id } = (await ann.get<Account>('/api/auth/me')).body;
    const role = await createRole(admin, 'own_readers', 'organization:read');
    const organization = await createOrganization(admin, 'own-data');
    await addMember(admin, organization, { id }, role, await createRoleOf(admin, organization, 'own_clerk'));
    const { secret, recoveryCodes } = await enrolTotp(ann);
    const tokens = [...ann.jar.values()];
    expect([tokens.length > 1, recoveryCodes.length > 5]).toEqual([true, true]);

    const answer = await ann.get<OwnData>(EXPORT);
    expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      200,
      'application/json',
      'attachment; filename="my-data.json"',
    ]);
    expect(Object.keys(answer.body)).toEqual([
      'format',
      'version',
      'exported_at',
      'profile',
      'identities',
      'second_factors',
      'trusted_devices',
      'sessions',
      'connected_applications',
      'organizations',
      'groups',
      'roles',
      'permissions',
      'activity',
      'activity_is_complete',
    ]);
    const { profile, sessions, organizations, roles, activity } = answer.body;
    expect(profile).toMatchObject({ id, username: 'own_ann', email: 'own_ann@example.com' });
    expect(sessions.map(({ current }) => current).sort()).toEqual([false, true]);
    expect(organizations).toMatchObject([
      { slug: 'own-data', roles: ['organization/iam:own_clerk', 'iam:own_readers'] },
    ]);
    expect(roles).toMatchObject([{ name: 'user' }]);
    expect(activity.map(({ action }) => action)).toContain('login');
    expect(answer.text).not.toMatch(/argon2|password_hash|\$2b\$/);
    expect(answer.body.second_factors).toMatchObject([{ type: 'totp' }, { type: 'recovery' }]);
    expect([secret, ...recoveryCodes, ...tokens].filter((each) => answer.text.includes(each))).toEqual([]);
  });

  it('contains only acts of the caller, without the names and values of others', async () => {
    await service.register('own_other', { email: 'own_other@example.com' });
    const [{ id } = { id: '' }] = await service.query<{ id: string }>(
      `SELECT id FROM user_account WHERE username = 'own_other'`,
    );
    await admin.patch(`/api/user/${id}`, { nickname: 'Somebody' });
    const { activity } = await dataOf(admin);
    expect(activity).toContainEqual(expect.objectContaining({ action: 'user.update', target_id: id }));
    expect(JSON.stringify(activity)).not.toMatch(/own_other|Somebody/);
    const ann = await service.signUp('own_bob');
    expect((await dataOf(ann)).activity.map(({ action }) => action).sort()).toEqual([
      'login',
      'user.create',
      'user.export_own',
    ]);
  });

  it('says nothing of the address and browser of who acted as the user', async () => {
    await service.set(actAsEnabled, true);
    const user = await userWith(service, admin, 'own_user');
    const actor = await userWith(service, admin, 'own_actor', ACT_AS);
    expect((await actAs(actor.client, user)).status).toBe(201);
    const acting = (await dataOf(user.client)).sessions.find((session) => session.actor);
    expect(acting).toMatchObject({ ip: null, user_agent: null, device: null, actor: { username: 'own_actor' } });
    await stopActing(actor.client);
    await service.query(
      `INSERT INTO audit_event (id, action, outcome, actor_id, on_behalf_of_id) VALUES ($1, 'user.update', 'success', $2, $3)`,
      [newId(), actor.id, user.id],
    );
    const { activity } = await dataOf(actor.client);
    const namesOf = (action: string): unknown[] =>
      activity.filter((act) => act.action === action).map((act) => act.on_behalf_of_id);
    expect([namesOf('user.update'), namesOf('login')]).toEqual([[user.id], [null]]);
    await service.set(actAsEnabled, false);
  });

  it('is not caused by HEAD or by a link of another site', async () => {
    const ann = await service.signUp('own_eve');
    const { id } = (await ann.get<Account>('/api/auth/me')).body;
    expect((await ann.send('HEAD', EXPORT)).status).toBe(404);
    const linked = await ann.send<Problem>('GET', EXPORT, { headers: { 'sec-fetch-site': 'cross-site' } });
    expectProblem(linked, 403, 'csrf_rejected');
    expect(
      await service.query(`SELECT 1 FROM audit_event WHERE action = 'user.export_own' AND target_id = $1`, [id]),
    ).toEqual([]);
    expect((await ann.send('GET', EXPORT, { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200);
  });

  it('is audited', async () => {
    const ann = await service.signUp('own_cid');
    const { id } = (await dataOf(ann)).profile;
    const events = await service.query(
      `SELECT actor_id, target_id FROM audit_event WHERE action = 'user.export_own' AND target_id = $1`,
      [id],
    );
    expect(events).toEqual([{ actor_id: id, target_id: id }]);
  });

  it('pages through a long activity', async () => {
    const ann = await service.signUp('own_dan');
    const { id } = (await ann.get<Account>('/api/auth/me')).body;
    await service.query(
      `INSERT INTO audit_event (id, at, action, outcome, actor_id)
       SELECT md5(number::text)::uuid, now() - make_interval(secs => number), 'user.update', 'success', $1
       FROM generate_series(1, 10500) AS number`,
      [id],
    );
    const { activity, activity_is_complete: isComplete } = await dataOf(ann);
    expect([activity.length, new Set(activity.map(({ at }) => at)).size > 9_000, isComplete]).toEqual([
      10_000,
      true,
      false,
    ]);
  });

  it('requires a recent login', async () => {
    await service.register('own_old');
    expectProblem(
      await (await logInLongAgo(service, 'own_old')).get<Problem>(EXPORT),
      401,
      'reauthentication_required',
    );
    expect((await service.client().get(EXPORT)).status).toBe(401);
  });
});
