import {
  begin,
  beginBinding,
  comeBack,
  FakeProvider,
  FakeProviders,
  locationOf,
  roundTrip,
  sessionCookies,
} from '../../support/oauth/fake-providers';
import { startWithProviders } from '../../support/oauth/service-with-providers';
import {
  enrolTotp,
  freshCode,
  isLoggedIn,
  MfaRequired,
  secondStep,
  signUpEnrolled,
} from '../../support/accounts/second-factors';

import { PASSWORD, TestService } from '../../support/service/test-service';

let service: TestService;
let providers: FakeProviders;
let made = 0;

beforeAll(async () => {
  ({ service, providers } = await startWithProviders());
});

afterAll(() => service.stop());

const linksOf = (provider: FakeProvider): Promise<unknown[]> =>
  service.query('SELECT 1 FROM user_identity WHERE provider_id = $1', [provider.provider.id]);

describe('second factor', () => {
  it('is required after a provider login as after any other', async () => {
    const client = await service.signUp('two_steps');
    const provider = providers.add();
    provider.person('two steps');
    expect((await comeBack(client, provider, await beginBinding(client, provider))).body.status).toBe('bound');
    const { secret } = await enrolTotp(client);
    const browser = service.client();
    const state = await begin(browser, provider, '/home');
    const sent = await browser.get(`/api/oauth/callback/${provider.provider.name}?code=c&state=${state}`);
    expect([sent.status, locationOf(sent), sessionCookies(sent)]).toEqual([302, '/login/mfa?redirect=%2Fhome', []]);
    const program = service.client();
    const due = await roundTrip(program, provider);
    expect(due.body).toEqual({
      status: 'mfa_required',
      mfa_token: expect.any(String) as string,
      methods: expect.arrayContaining(['totp']) as string[],
    });
    expect([sessionCookies(due), await isLoggedIn(program)]).toEqual([[], false]);
    const { mfa_token } = due.body as unknown as MfaRequired;
    const code = await freshCode(service, secret);
    expect((await secondStep(program, { mfa_token, method: 'totp', code })).status).toBe(200);
    expect(await isLoggedIn(program)).toBe(true);
  });

  it('is required before a link by e-mail, which is created afterwards', async () => {
    const { secret } = await signUpEnrolled(service, 'two_mails');
    await service.query(
      `UPDATE user_account SET email = 'two@example.com', email_key = 'two@example.com', email_verified = true
       WHERE username = 'two_mails'`,
    );
    const provider = providers.add({ trustEmail: true });
    provider.person('two mails', { email: 'two@example.com', emailVerified: true });
    const client = service.client();
    const due = await roundTrip(client, provider);
    expect([due.body.status, await linksOf(provider)]).toEqual(['mfa_required', []]);
    const kept = JSON.stringify(await service.query('SELECT deferred FROM mfa_pending_login'));
    expect(kept).not.toContain('two@example.com');
    const { mfa_token } = due.body as unknown as MfaRequired;
    await secondStep(client, { mfa_token, method: 'totp', code: '000000' });
    expect(await linksOf(provider)).toEqual([]);
    const proof = { mfa_token, method: 'totp', code: await freshCode(service, secret) };
    expect((await secondStep(client, proof)).status).toBe(200);
    expect((await linksOf(provider)).length).toBe(1);
  });

  it.each<[string, (provider: FakeProvider, username: string) => unknown]>([
    [
      'the provider was changed',
      (provider) => {
        provider.change({});
      },
    ],
    ['the provider was disabled', (provider) => (provider.enabled = false)],
    [
      'the user no longer has the e-mail',
      (_, username) =>
        service.query(
          'UPDATE user_account SET email = NULL, email_key = NULL, email_verified = false WHERE username = $1',
          [username],
        ),
    ],
  ])('does not create the link when in the meantime %s', async (_, happen) => {
    const username = `two_late_${++made}`;
    const { secret } = await signUpEnrolled(service, username);
    const email = `${username}@example.com`;
    await service.query(
      'UPDATE user_account SET email = $2, email_key = $2, email_verified = true WHERE username = $1',
      [username, email],
    );
    const provider = providers.add({ trustEmail: true });
    provider.person(username, { email, emailVerified: true });
    const client = service.client();
    const { mfa_token } = (await roundTrip(client, provider)).body as unknown as MfaRequired;
    await happen(provider, username);
    const proof = { mfa_token, method: 'totp', code: await freshCode(service, secret) };
    expect((await secondStep(client, proof)).status).toBe(401);
    expect([await linksOf(provider), await isLoggedIn(client)]).toEqual([[], false]);
  });

  it('is required before a link by login', async () => {
    const { username, secret } = await signUpEnrolled(service, 'two_proofs');
    const provider = providers.add();
    provider.person('two proofs');
    const client = service.client();
    await roundTrip(client, provider);
    const login = { type: 'password', username, password: PASSWORD };
    // A verified password that waits for the second factor is no failure, however often it occurs.
    for (let time = 0; time < 5; time++) expect((await client.post('/api/oauth/bind/login', login)).status).toBe(200);
    const due = await client.post<MfaRequired>('/api/oauth/bind/login', login);
    expect([due.body.mfa_required, await linksOf(provider)]).toEqual([true, []]);
    const { mfa_token } = due.body;
    const wrong = await secondStep(client, { mfa_token, method: 'totp', code: '000000' });
    expect([wrong.status, await linksOf(provider)]).toEqual([400, []]);
    const proof = { mfa_token, method: 'totp', code: await freshCode(service, secret) };
    expect((await client.post('/api/oauth/bind/login', proof)).status).toBe(200);
    expect([await isLoggedIn(client), (await linksOf(provider)).length]).toEqual([true, 1]);
  });
});
