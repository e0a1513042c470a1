import { defineSetting, text } from '../../src/platform/settings';
import { logInLongAgo } from '../support/accounts/accounts';
import { expectProblem } from '../support/service/expect-problem';
import { userWith } from '../support/accounts/holders';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Change {
  readonly key: string;
  readonly value: unknown;
}

const plain = defineSetting({ key: 'trial.plain', defaultValue: '', kind: text(20), sensitive: false });
const ofHost = defineSetting({ key: 'trial.of_host', defaultValue: '', kind: text(20), guarded: true });

/** For each setting one change that would be an attack. */
const attacks: readonly (readonly [key: string, value: unknown])[] = [
  ['security.allowed_origins', ['https://evil.example']],
  ['jwt.cookie_domain', 'example.com'],
  ['jwt.cookie_same_site', 'none'],
  ['jwt.cookie_prefix', 'evil'],
  ['jwt.cookie_path', '/api'],
  ['jwt.share_refresh_cookie', true],
  ['mfa.policy', 'off'],
  ['mfa.trusted_device_days', 365],
  ['security.allow_private_providers', true],
  ['security.lockout_threshold', 100],
  ['security.lockout_window_seconds', 1],
  ['security.lockout_seconds', 1],
  ['security.ip_failure_threshold', 100_000],
  ['session.act_as_enabled', true],
  ['session.recent_login_seconds', 3_600],
  ['register.default_role', 'user'],
  ['app.background_image', 'https://evil.example/login.png'],
  ['app.custom_css', '.scopes { display: none }'],
  ['email.smtp.host', 'smtp.evil.example'],
  ['email.smtp.password', 'of evil'],
  ['email.from', 'security@evil.example'],
  ['sms.provider', 'http'],
  ['sms.http.url', 'https://evil.example/collect'],
  ['sms.allowed_prefixes', ['+882']],
  ['sms.default_region', 'US'],
  [ofHost.key, 'evil'],
];

const EVERYTHING = { permission_id: '*:*', scope: '*', level: 7 };
const NEARLY_EVERYTHING = [
  { permission_id: '*:*', scope: '*', level: 6 },
  { permission_id: '*:*', level: 7 },
];

describe('settings that allow privilege escalation', () => {
  let service: TestService;
  let admin: TestClient;
  let clerk: TestClient;
  let stale: TestClient;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    clerk = (await userWith(service, admin, 'clerk', ...NEARLY_EVERYTHING)).client;
    await userWith(service, admin, 'lord', EVERYTHING);
    stale = await logInLongAgo(service, 'lord');
  });

  const put = (as: TestClient, updates: readonly Change[], query = ''): Promise<Answer<Problem>> =>
    as.put<Problem>(`/api/setting${query}`, { updates });
  const failures = ({ status, body }: Answer<Problem>): unknown[] => [
    status,
    body.code,
    ...(body.errors ?? []).map(({ field, code }) => `${field} ${code}`),
  ];
  const versions = async (): Promise<unknown> => service.query('SELECT key, version FROM setting ORDER BY key');
  const DENIED = [400, 'settings_update_failed', 'updates[0].value escalation_denied'];

  describe.each(attacks)('%s', (key, value) => {
    it('rejects a caller without all permissions, also in a dry run and for the present value', async () => {
      const before = await versions();
      expect(failures(await put(clerk, [{ key, value }]))).toEqual(DENIED);
      expect(failures(await put(clerk, [{ key, value }], '?dry_run=true'))).toEqual(DENIED);
      expect(failures(await put(clerk, [{ key, value: null }]))).toEqual(DENIED);
      expect(await versions()).toEqual(before);
    });

    it('checks permissions before value and version', async () => {
      const wrong = { key, value: { not: 'a value' }, version: 99 };
      expect(failures(await put(clerk, [wrong]))).toEqual(DENIED);
      const [status, code, ...told] = failures(await put(admin, [wrong]));
      expect([status, code]).toEqual([400, 'settings_update_failed']);
      expect(told).toHaveLength(2);
      expect(told).not.toContain('updates[0].value escalation_denied');
    });

    it('rejects a rollback', async () => {
      for (const version of [0, 99]) {
        const answer = await clerk.post<Problem>(`/api/setting/${key}/rollback`, { version });
        expect(failures(answer)).toEqual([400, 'settings_update_failed', 'version escalation_denied']);
      }
    });

    it('requires a recent login even with all permissions', async () => {
      expectProblem(await put(stale, [{ key, value }], '?dry_run=true'), 401, 'reauthentication_required');
      expectProblem(
        await stale.post<Problem>(`/api/setting/${key}/rollback`, { version: 0 }),
        401,
        'reauthentication_required',
      );
    });
  });

  it('report each denied setting by its index and store none of the request', async () => {
    const updates = [
      { key: plain.key, value: 'beside' },
      { key: 'mfa.policy', value: 'off' },
      { key: 'code.ttl_seconds', value: 300 },
      { key: 'security.allowed_origins', value: ['https://evil.example'] },
    ];
    const before = await versions();
    expect(failures(await put(clerk, updates))).toEqual([
      400,
      'settings_update_failed',
      'updates[1].value escalation_denied',
      'updates[3].value escalation_denied',
    ]);
    expect(await versions()).toEqual(before);
    expect((await put(clerk, [updates[0]!, updates[2]!])).status).toBe(200);
  });

  it('can be changed by a caller who holds all permissions without the role admin', async () => {
    const { client } = await userWith(service, admin, 'viceroy', EVERYTHING);
    expect((await put(client, [{ key: ofHost.key, value: 'good' }])).status).toBe(200);
    expect((await client.post(`/api/setting/${ofHost.key}/rollback`, { version: 0 })).status).toBe(200);
  });

  it('record each denied change in the audit', async () => {
    const keys = ['jwt.cookie_domain', 'mfa.policy'];
    await put(
      clerk,
      keys.map((key) => ({ key, value: null })),
    );
    const rows = await service.query<{ target_id: string }>(
      `SELECT target_id FROM audit_event WHERE action = 'permission.escalate' AND outcome = 'failure'
         AND target_type = 'setting' ORDER BY id DESC LIMIT 2`,
    );
    expect(rows.map(({ target_id }) => target_id).sort()).toEqual(keys);
  });

  it('keep an origin blocked that a caller tried to allow', async () => {
    await put(clerk, [
      { key: 'security.allowed_origins', value: ['https://evil.example'] },
      { key: 'jwt.cookie_same_site', value: 'none' },
    ]);
    const forged = await admin.post<Problem>(
      '/api/role',
      { name: 'forged' },
      { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
    );
    expect(forged.status).toBe(403);
  });
});
