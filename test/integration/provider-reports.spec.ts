import { ANN, json, ProviderSimulator } from '../support/provider-simulator';
import { QuirkLogin } from '../support/oauth/quirk-login';

const DOCUMENT = 'GET /oidc/.well-known/openid-configuration';
const KEYS = 'GET /oidc/keys';
const TOKEN = 'POST /oidc/token';
const USERINFO = 'GET /oidc/userinfo';

let simulator: ProviderSimulator;

beforeAll(async () => {
  simulator = await ProviderSimulator.start();
});

afterAll(() => simulator.stop());

afterEach(() => {
  simulator.restore();
});

type Members = Record<string, unknown>;

/** Answers that public reports about identity products show, each of which ended a login there. */
describe('a login succeeds although its provider', () => {
  it.each<[string, string, (values: Members) => object]>([
    ['names a lifetime in digits', TOKEN, (values) => ({ ...values, expires_in: '3600' })],
    ['names no lifetime', TOKEN, ({ expires_in: _, ...values }) => values],
    ['names no token type', TOKEN, ({ token_type: _, ...values }) => values],
    ['writes the token type in capitals', TOKEN, (values) => ({ ...values, token_type: 'BEARER' })],
    ['lists the scopes', TOKEN, (values) => ({ ...values, scope: ['openid', 'email'] })],
    ['states no error (null)', TOKEN, (values) => ({ ...values, error: null, error_description: null })],
    ['states no error (empty)', TOKEN, (values) => ({ ...values, error: '' })],
    ['states no error (false)', TOKEN, (values) => ({ ...values, error: false })],
    ['states no error (0)', TOKEN, (values) => ({ ...values, errcode: 0, code: 0 })],
    [
      'ends the ID token with a line break',
      TOKEN,
      (values) => ({ ...values, id_token: `${String(values['id_token'])}\n` }),
    ],
    ['sends the subject as a number', USERINFO, (values) => ({ ...values, sub: Number(values['sub']) })],
    ['has no picture', USERINFO, (values) => ({ ...values, picture: null })],
    [
      'has a picture in an object',
      USERINFO,
      (values) => ({ ...values, picture: { data: { url: 'https://x.example/a' } } }),
    ],
    ['has no names', USERINFO, (values) => ({ ...values, name: null, nickname: '' })],
    [
      'names one client authentication as a text',
      DOCUMENT,
      (values) => ({ ...values, token_endpoint_auth_methods_supported: 'client_secret_post' }),
    ],
    [
      'publishes keys of unknown types',
      KEYS,
      ({ keys }) => ({
        keys: [{ kty: 'XYZ' }, { kty: 'RSA', use: 'enc', n: 'AQAB', e: 'AQAB' }, ...(keys as object[])],
      }),
    ],
    [
      'publishes keys without use and algorithm',
      KEYS,
      ({ keys }) => ({ keys: (keys as Members[]).map(({ use: _use, alg: _alg, ...key }) => key) }),
    ],
  ])('%s', async (_, route, change) => {
    const oidc = new QuirkLogin(simulator, 'oidc');
    oidc.alterJson(route, change);
    expect(await oidc.profile()).toMatchObject({ email: ANN.email, subjects: [{ claim: 'sub', value: ANN.id }] });
  });

  it.each(['text/plain', 'text/html; charset=utf-8', 'Application/JSON', 'application/problem+json'])(
    'calls its JSON %s',
    async (type) => {
      const oidc = new QuirkLogin(simulator, 'oidc');
      for (const route of [DOCUMENT, KEYS, TOKEN, USERINFO]) oidc.alter(route, (answer) => ({ ...answer, type }));
      expect((await oidc.profile()).email).toBe(ANN.email);
    },
  );

  it.each([
    [200, ''],
    [200, '\n'],
    [204, ''],
    [405, 'Method Not Allowed'],
    [410, ''],
    [501, '<html>'],
  ])('answers %d %j at userinfo', async (status, body) => {
    simulator.override(USERINFO, () => ({ status, body }));
    expect((await new QuirkLogin(simulator, 'oidc').profile()).email).toBe(ANN.email);
  });

  it.each<[string, Record<string, string>]>([
    ['session_state and scope', { session_state: 'x.y', scope: 'openid email' }],
    ['parameters of its own', { client_info: 'eyJ', authuser: '0', hd: 'idp.example' }],
  ])('adds %s to the callback', async (_, more) => {
    const oidc = new QuirkLogin(simulator, 'oidc');
    expect((await oidc.profile((params) => ({ ...params, ...more }))).email).toBe(ANN.email);
  });
});

describe('a login does not trust', () => {
  it.each<[string, unknown]>([
    ['another number', 4712],
    ['no subject', undefined],
    ['a list with the subject', [ANN.id]],
    ['a subject with a space', `${ANN.id} `],
  ])('userinfo with %s', async (_, sub) => {
    simulator.override(USERINFO, () => json({ sub, email: 'other@idp.example', email_verified: true }));
    expect(await new QuirkLogin(simulator, 'oidc').failure()).toBe('user info: different sub');
  });

  it.each(['invalid_grant', 'null', true, 7, { code: 'x' }])('a token response with the error %j', async (error) => {
    const oidc = new QuirkLogin(simulator, 'oidc');
    oidc.alterJson(TOKEN, (values) => ({ ...values, error }));
    expect(await oidc.failure()).toMatch(/^token/);
  });

  it.each<[string, unknown]>([
    ['"true"', 'true'],
    ['1', 1],
    ['"yes"', 'yes'],
  ])('an e-mail as verified by %s', async (_, email_verified) => {
    const oidc = new QuirkLogin(simulator, 'oidc');
    oidc.alterJson(USERINFO, (values) => ({ ...values, email_verified }));
    expect(await oidc.profile()).toMatchObject({ email: ANN.email, emailVerified: false });
  });

  it.each([[['ann@idp.example']], [''], [{ value: 'ann@idp.example' }], ['ann@idp.example,eve@idp.example']])(
    'the e-mail %j',
    async (email) => {
      const oidc = new QuirkLogin(simulator, 'oidc');
      oidc.alterJson(USERINFO, (values) => ({ ...values, email }));
      const profile = await oidc.profile();
      expect(profile.emailVerified).toBe(false);
      expect(profile).not.toHaveProperty('email');
    },
  );
});
