import { expectProblem } from '../support/service/expect-problem';
import { SoftAuthenticator } from '../support/accounts/soft-authenticator';
import type { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

type Options = Parameters<SoftAuthenticator['make']>[0] & Parameters<SoftAuthenticator['prove']>[0];
type Credential = Readonly<Record<string, unknown>> & { readonly response: Readonly<Record<string, unknown>> };
type Edit = (credential: Credential) => object;

let service: TestService;
let users = 0;

withService((started) => {
  service = started;
});

const optionsFor = async (client: TestClient, path: string): Promise<Options> =>
  (await client.post<Options>(`/api/auth/${path}/options`)).body;

const within =
  (members: object): Edit =>
  (credential) => ({ ...credential, response: { ...credential.response, ...members } });
const beside =
  (members: object): Edit =>
  (credential) => ({ ...credential, ...members });
const without =
  (...names: string[]): Edit =>
  (credential) =>
    Object.fromEntries(Object.entries(credential).filter(([name]) => !names.includes(name)));

/** What browsers, platforms and password managers add, leave out or get wrong. */
describe('a passkey', () => {
  async function registered(edit: Edit): Promise<{ answer: Answer<Problem>; authenticator: SoftAuthenticator }> {
    const [client, authenticator] = [await service.signUp(`ceremony_${users++}`), new SoftAuthenticator()];
    const response = edit(authenticator.make(await optionsFor(client, 'passkeys')) as Credential);
    const answer = await client.post<Problem>('/api/auth/passkeys', { name: 'Key', response });
    return { answer, authenticator };
  }

  it.each<[string, Edit]>([
    ['without transports, as from older browsers', within({ transports: undefined })],
    ['whose attachment disagrees with its transports', beside({ authenticatorAttachment: 'platform' })],
    ['without an attachment', beside({ authenticatorAttachment: null })],
    ['with an attachment of the future', beside({ authenticatorAttachment: 'implanted' })],
    ['with an empty public key beside the attestation', within({ publicKey: '', publicKeyAlgorithm: 0 })],
    ['with all the data of level 3', within({ publicKeyAlgorithm: -7, authenticatorData: 'AA', publicKey: 'AA' })],
    [
      'with results of extensions',
      beside({ clientExtensionResults: { credProps: { rk: true }, prf: { enabled: true } } }),
    ],
    ['without results of extensions', without('clientExtensionResults')],
    ['with members that no specification has', beside({ _managedBy: 'keychain', hints: ['hybrid'] })],
  ])('is registered %s, and logs in', async (_, edit) => {
    const { answer, authenticator } = await registered(edit);
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    const browser = service.client();
    const response = authenticator.prove(await optionsFor(browser, 'login/passkey'));
    expect((await browser.post('/api/auth/login', { type: 'passkey', response })).status).toBe(200);
  });

  it.each<[string, Edit]>([
    ['without an attachment', beside({ authenticatorAttachment: null })],
    ['without results of extensions', without('clientExtensionResults')],
    ['with an attestation of null', within({ attestationObject: null })],
    ['with results of extensions', beside({ clientExtensionResults: { appid: false, uvm: [[2, 4, 2]] } })],
  ])('logs in by a response %s', async (_, edit) => {
    const { authenticator } = await registered((credential) => credential);
    const browser = service.client();
    const response = edit(authenticator.prove(await optionsFor(browser, 'login/passkey')) as Credential);
    expect((await browser.post('/api/auth/login', { type: 'passkey', response })).status).toBe(200);
  });

  it.each<[string, Edit]>([
    ['without an id', without('id')],
    ['whose ids disagree', beside({ rawId: 'AAAAAAAAAAAAAAAAAAAAAA' })],
    ['of another type', beside({ type: 'password' })],
    ['whose attestation is empty', within({ attestationObject: '' })],
    ['without an attestation', within({ attestationObject: undefined })],
  ])('is rejected by name %s', async (_, edit) => {
    const { answer } = await registered(edit);
    expectProblem(answer, 400, 'validation_failed');
  });
});

/** What clients and proxies do to requests without a body, and to addresses. */
describe('a request', () => {
  const send = (method: 'GET' | 'POST' | 'DELETE', url: string, headers: object, payload?: string) =>
    service.app.inject({ method, url, headers: { ...headers }, ...(payload !== undefined && { payload }) });

  async function loggedIn(): Promise<{ username: string; headers: { cookie: string } }> {
    const username = `ceremony_${users++}`;
    return { username, headers: { cookie: (await service.signUp(username)).cookie } };
  }

  it.each([
    ['without a content type', {}],
    ['as empty JSON', { 'content-type': 'application/json' }],
    ['with a length of zero', { 'content-length': '0' }],
    ['as empty JSON of the length zero', { 'content-type': 'application/json; charset=utf-8', 'content-length': '0' }],
  ])('without a body is answered %s', async (_, headers) => {
    const session = (await loggedIn()).headers;
    expect((await send('POST', '/api/auth/logout', { ...session, ...headers })).statusCode).toBe(204);
    expect((await send('GET', '/api/auth/me', session)).statusCode).toBe(401);
  });

  it('that deletes with a content type and no body is answered', async () => {
    const { headers } = await loggedIn();
    const answer = await send('DELETE', '/api/auth/sessions', { ...headers, 'content-type': 'application/json' });
    expect(answer.statusCode).toBe(200);
  });

  it.each([
    ['JSON', 'application/json', '{"token":"x"}'],
    ['text', 'text/plain', 'token=x'],
    ['a form with parts', 'multipart/form-data; boundary=x', '--x--'],
  ])('to the introspection as %s is refused, not failed', async (_, type, body) => {
    const answer = await send('POST', '/api/oauth/introspect', { 'content-type': type }, body);
    expect([400, 401, 415]).toContain(answer.statusCode);
  });

  it.each(['/api/oauth/token/', '/api/auth/login/', '/.well-known/openid-configuration/'])(
    'to %s, with a slash too many, is a problem in JSON',
    async (path) => {
      const { statusCode, headers } = await send('GET', path, { accept: 'application/json' });
      expect([statusCode, headers['content-type']]).toEqual([404, expect.stringContaining('json')]);
    },
  );

  it('with a byte order mark before its JSON is read', async () => {
    const { username } = await loggedIn();
    const body = `\uFEFF${JSON.stringify({ type: 'password', username, password: PASSWORD })}`;
    const answer = await send('POST', '/api/auth/login', { 'content-type': 'application/json' }, body);
    expect(answer.statusCode).toBe(200);
  });
});
