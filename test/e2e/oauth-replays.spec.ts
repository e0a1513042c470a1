import { Configuration } from 'openid-client';
import { AuditService } from '../../src/audit';
import { oauthGrantActs } from '../../src/oauth/server/core/authorization-server.acts';
import { SessionsEndedListener } from '../../src/oauth/server/logout/sessions-ended.listener';
import { SessionCleanupJob } from '../../src/session/session-cleanup.job';
import {
  authorize,
  basic,
  begin,
  CALLBACK,
  decideAt,
  logInAt,
  post,
  interactionAt,
  register,
  Registered,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { userWith, UserWithGrants } from '../support/accounts/holders';
import { sessionOf } from '../support/accounts/session-tokens';
import type { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const TOKEN = '/api/oauth/token';
type Form = Record<string, string>;

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;
let app: Registered;
let config: Configuration;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  ann = await userWith(service, admin, 'ann');
});

beforeEach(async () => {
  app = await register(admin);
  config = await relyingParty(() => service, app);
});

afterEach(() => {
  jest.restoreAllMocks();
});

const ask = (form: Form): ReturnType<typeof post> => post(service, TOKEN, form, basic(app));

const refreshing = (token: unknown): Form => ({ grant_type: 'refresh_token', refresh_token: String(token) });

const recorded = async (): Promise<number> =>
  (await service.query(`SELECT id FROM audit_event WHERE action = 'oauth_grant.revoke_replayed'`)).length;

/** The stored grant of the client with its codes and tokens. */
const stored = async (): Promise<string[]> => {
  const rows = await service.query<{ model: string }>(
    `SELECT DISTINCT model FROM oauth_artifact
     WHERE client_id = $1 AND model IN ('Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken')`,
    [app.client_id],
  );
  return rows.map(({ model }) => model);
};

/** A consumed refresh token after its grace period, and its successor. */
async function refreshed(): Promise<{ spent: Form; newest: Form }> {
  const { refresh_token: first } = await logInAt(config, ann.client, { scope: 'openid offline_access' });
  const { body } = await ask(refreshing(first));
  await service.query('UPDATE oauth_artifact SET consumed_at = consumed_at - make_interval(secs => 31)');
  return { spent: refreshing(first), newest: refreshing(body['refresh_token']) };
}

/** A redeemed code and the refresh token issued for it. */
async function exchanged(): Promise<{ spent: Form; newest: Form }> {
  const { url, verifier } = await begin(config, { scope: 'openid offline_access' });
  const code = (await authorize(ann.client, url)).searchParams.get('code') ?? '';
  const consumed = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
  const { body } = await ask(consumed);
  return { spent: consumed, newest: refreshing(body['refresh_token']) };
}

describe.each([
  ['refresh token', refreshed],
  ['code', exchanged],
])('a replayed %s', (_, given) => {
  it('deletes the grant with its tokens and records that in one transaction', async () => {
    const { spent, newest } = await given();
    const before = await recorded();
    const { record } = AuditService.prototype;
    const recording = jest.spyOn(AuditService.prototype, 'record').mockImplementation(async function (
      this: AuditService,
      ...args: unknown[]
    ) {
      if (args[0] === oauthGrantActs.revokeReplayed) throw new Error('the audit cannot be written');
      await Reflect.apply(record, this, args);
    });
    expect((await ask(spent)).status).toBe(500);
    recording.mockRestore();
    expect(await recorded()).toBe(before);
    expect(await stored()).toEqual(expect.arrayContaining(['Grant', 'RefreshToken', 'AccessToken']));

    expect((await ask(spent)).body['error']).toBe('invalid_grant');
    expect(await stored()).toEqual([]);
    expect(await recorded()).toBe(before + 1);
    expect((await ask(newest)).body['error']).toBe('invalid_grant');
    expect((await ask(spent)).body['error']).toBe('invalid_grant');
    expect(await recorded()).toBe(before + 1);
  });
});

it('a decision works once: its interaction is deleted and the resume address issues no second code', async () => {
  const { url } = await begin(config, { scope: 'openid', prompt: 'consent' });
  const asked = await redirectOf(ann.client, url);
  const { redirect } = (await decideAt(ann.client, asked)).body;
  expect(new URL(await redirectOf(ann.client, redirect)).searchParams.get('code')).not.toBeNull();
  expect((await interactionAt(ann.client, asked)).status).toBe(404);
  const { status, headers } = await ann.client.get(redirect.replace(/^https?:\/\/[^/]+/, ''));
  expect([status, headers['location']]).toEqual([400, undefined]);
});

it('data written as its session ends stays invalid after the session is deleted', async () => {
  const browser = await service.logIn('ann');
  const { refresh_token: token } = await logInAt(config, browser, { scope: 'openid offline_access' });
  const id = sessionOf(browser);
  await service.query('CREATE TABLE late AS SELECT * FROM oauth_artifact WHERE session_id = $1', [id]);
  expect((await browser.post('/api/auth/logout')).status).toBe(204);
  await service.query('INSERT INTO oauth_artifact SELECT * FROM late');
  await service.query('DROP TABLE late');
  expect((await ask(refreshing(token))).body['error']).toBe('invalid_grant');

  await service.app.get(SessionsEndedListener).endLate();
  await service.query(`UPDATE session SET revoked_at = revoked_at - interval '2 days' WHERE id = $1`, [id]);
  await service.app.get(SessionCleanupJob).clean();
  expect(await service.query('SELECT 1 FROM session WHERE id = $1', [id])).toEqual([]);
  expect((await ask(refreshing(token))).body['error']).toBe('invalid_grant');
});
