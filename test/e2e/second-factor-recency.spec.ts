import { mfaPolicy } from '../../src/mfa/mfa.settings';
import { proveContacts } from '../support/accounts/accounts';
import { expectProblem } from '../support/service/expect-problem';
import { Enrolled, freshCode, outcome, signUpEnrolled } from '../support/accounts/second-factors';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

type Act = (as: TestClient, others: { readonly userId: string; readonly roleId: string }) => Promise<Answer<Problem>>;

const TRUSTED = {
  name: 'trusted',
  label: 'Trusted',
  template: 'github',
  client_id: 'x',
  client_secret: 'a-very-secret-text',
  trust_email: true,
  auto_register: false,
};
const UNKNOWN = '00000000-0000-7000-8000-000000000001';

/** Sensitive requests with their result after both factors were verified recently. */
const acts: readonly (readonly [what: string, act: Act, done: string])[] = [
  ['changing a verified contact', (as) => as.patch('/api/auth/me', { email: 'thief@example.com' }), '200'],
  ['clearing a verified contact', (as) => as.patch('/api/auth/me', { email: null }), '200'],
  ['unlinking an identity', (as) => as.delete(`/api/auth/identities/${UNKNOWN}`), '404 not_found'],
  ['deleting the account', (as) => as.delete('/api/auth/me'), '204'],
  [
    'changing a sensitive setting',
    (as) => as.put('/api/setting', { updates: [{ key: 'code.ttl_seconds', value: 300 }] }),
    '200',
  ],
  [
    'changing a guarded setting',
    (as) => as.put('/api/setting?dry_run=true', { updates: [{ key: 'mfa.trusted_device_days', value: 1 }] }),
    '200',
  ],
  ['rolling back a setting', (as) => as.post('/api/setting/code.ttl_seconds/rollback', { version: 0 }), '200'],
  ['rotating signing keys', (as) => as.post('/api/signing-key'), '201'],
  [
    "changing another user's password",
    (as, { userId }) => as.put(`/api/user/${userId}/password`, { new_password: 'another pass phrase' }),
    '204',
  ],
  ["removing another user's factors", (as, { userId }) => as.delete(`/api/user/${userId}/mfa`), '204'],
  [
    "changing another user's contact",
    (as, { userId }) => as.patch(`/api/user/${userId}`, { email: 'other@example.com' }),
    '200',
  ],
  [
    'relaxing the MFA rule of a role',
    (as, { roleId }) => as.patch(`/api/role/${roleId}`, { mfa_required: false }),
    '200',
  ],
  ['changing the trust in a provider', (as) => as.post('/api/oauth/provider', TRUSTED), '201'],
];

describe('a recent second factor of a user who has one is required for', () => {
  let service: TestService;
  let admin: TestClient;
  let names = 0;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  /** Has just logged in with only the password, and has a second factor and all permissions. */
  const enrolled = async (): Promise<Enrolled & { others: { userId: string; roleId: string } }> => {
    const username = `lord_${++names}`;
    const user = await signUpEnrolled(service, username);
    const { body: me } = await user.client.get<{ id: string }>('/api/auth/me');
    const grants = { add: [{ permission_id: '*:*', scope: '*', level: 7 }] };
    await admin.patch(`/api/user/${me.id}/permissions`, grants);
    await admin.patch(`/api/user/${me.id}`, { email: `${username}@example.com` });
    await proveContacts(service, username);
    const other = await service.signUp(`other_${names}`);
    const { body: them } = await other.get<{ id: string }>('/api/auth/me');
    const { body: role } = await admin.post<{ id: string }>('/api/role', { name: `kept_${names}`, mfa_required: true });
    return { ...user, others: { userId: them.id, roleId: role.id } };
  };
  const prove = async ({ client, secret }: Enrolled): Promise<void> => {
    const code = await freshCode(service, secret);
    expect((await client.post('/api/auth/reauthenticate', { method: 'totp', code })).status).toBe(204);
  };

  it.each(acts)('%s', async (_, act, done) => {
    const user = await enrolled();
    const rejected = await act(user.client, user.others);
    expectProblem(rejected, 401, 'reauthentication_required');
    expect(rejected.body.params).toEqual({ factors: 2 });

    expect((await user.client.post('/api/auth/reauthenticate', { password: PASSWORD })).status).toBe(204);
    expectProblem(await act(user.client, user.others), 401, 'reauthentication_required');
    await prove(user);
    expect(outcome(await act(user.client, user.others))).toBe(done);
  });

  it('nothing while second factors are disabled', async () => {
    const { client } = await enrolled();
    await service.set(mfaPolicy, 'off');
    expect((await client.patch('/api/auth/me', { email: null })).status).toBe(200);
    await service.set(mfaPolicy, 'optional');
  });
});
