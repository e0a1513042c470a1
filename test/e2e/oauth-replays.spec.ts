import { Configuration } from 'openid-client';
import { Audit } from '../../src/audit';
import { basic, CALLBACK, authorize, begin, logInAt, post, register, Registered, relyingParty } from '../support/oauth';
import { holderOf, Holder } from '../support/holders';
import { TestService } from '../support/test-service';

const TOKEN = '/api/oauth/token';
type Form = Record<string, string>;

let service: TestService;
let ann: Holder;
let app: Registered;
let config: Configuration;

beforeAll(async () => {
  service = await TestService.start();
  const admin = await service.admin();
  ann = await holderOf(service, admin, 'ann');
  app = await register(admin);
  config = await relyingParty(() => service, app);
});

afterAll(() => service.stop());

afterEach(() => {
  jest.restoreAllMocks();
});

const ask = (form: Form): ReturnType<typeof post> => post(service, TOKEN, form, basic(app));

const refreshing = (token: unknown): Form => ({ grant_type: 'refresh_token', refresh_token: String(token) });

const recorded = async (): Promise<number> =>
  (await service.query(`SELECT id FROM audit_event WHERE action = 'oauth_grant.revoke_replayed'`)).length;

/** A spent token whose grace is over, with the one that followed it. */
async function refreshed(): Promise<{ spent: Form; newest: Form }> {
  const { refresh_token: first } = await logInAt(config, ann.client, { scope: 'openid offline_access' });
  const { body } = await ask(refreshing(first));
  await service.query('UPDATE oauth_artifact SET consumed_at = consumed_at - make_interval(secs => 31)');
  return { spent: refreshing(first), newest: refreshing(body['refresh_token']) };
}

/** A code that was exchanged, with the refresh token that it gave. */
async function exchanged(): Promise<{ spent: Form; newest: Form }> {
  const { url, verifier } = await begin(config, { scope: 'openid offline_access' });
  const code = (await authorize(ann.client, url)).searchParams.get('code') ?? '';
  const spent = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
  const { body } = await ask(spent);
  return { spent, newest: refreshing(body['refresh_token']) };
}

describe.each([
  ['refresh token', refreshed],
  ['code', exchanged],
])('a replayed %s', (_, given) => {
  it('ends what it gave together with the record of it, or not at all', async () => {
    const { spent, newest } = await given();
    const before = await recorded();
    const { record } = Audit.prototype;
    const recording = jest.spyOn(Audit.prototype, 'record').mockImplementation(async function (this: Audit, entry) {
      if (entry.action === 'oauth_grant.revoke_replayed') throw new Error('the audit cannot be written');
      return record.call(this, entry);
    });
    expect((await ask(spent)).status).toBe(500);
    recording.mockRestore();
    expect(await recorded()).toBe(before);

    expect((await ask(spent)).body['error']).toBe('invalid_grant');
    expect(await recorded()).toBe(before + 1);
    expect((await ask(newest)).body['error']).toBe('invalid_grant');
    expect((await ask(spent)).body['error']).toBe('invalid_grant');
    expect(await recorded()).toBe(before + 1);
  });
});
