import { begin, CALLBACK, logInAt, registerApp, redirectOf, WithApp } from '../support/oauth/oauth';
import { anyUserWith, UserWithGrants } from '../support/accounts/holders';
import { withService } from '../support/service/with-service';

const FORM = 'application/x-www-form-urlencoded';

let started: WithApp;
let ann: UserWithGrants;

withService(async (service) => {
  started = await registerApp(service);
  ann = await anyUserWith(service, started.admin);
  await logInAt(started.config, ann.client);
});

const answerTo = async (parameters: Record<string, string>, more = ''): Promise<URLSearchParams> => {
  const { url } = await begin(started.config, parameters);
  return new URL(await redirectOf(ann.client, `${url.href}${more}`)).searchParams;
};

/** Requests that public reports show, each of which other products reject. */
describe('an authorization request is answered with', () => {
  it.each<[string, Record<string, string>]>([
    ['two spaces between scopes', { scope: 'openid  profile' }],
    ['a space after the scopes', { scope: 'openid profile ' }],
    ['spaces before the scopes', { scope: '  openid profile' }],
    ['a scope twice', { scope: 'openid profile openid' }],
    ['an unknown scope', { scope: 'openid profile weird' }],
    ['a space after the prompt', { prompt: 'none ' }],
    ['a prompt twice', { prompt: 'none none' }],
    ['empty parameters', { max_age: '', nonce: '', id_token_hint: '', claims: '', resource: '', organization: '' }],
    ['unknown languages', { ui_locales: 'zh-Hans-CN xx_YY *' }],
    ['an unknown display', { display: 'weird' }],
    ['a hint with spaces', { login_hint: ' ann@example.com ' }],
    ['unknown authentication contexts', { acr_values: '1 2' }],
    ['parameters of other services', { access_type: 'offline', audience: 'https://api.example.com' }],
    ['a response mode', { response_mode: 'query' }],
  ])('%s', async (_, parameters) => {
    expect((await answerTo(parameters)).get('code')).not.toBeNull();
  });

  it('an unknown parameter twice', async () => {
    expect((await answerTo({}, '&foo=1&foo=2')).get('code')).not.toBeNull();
  });

  it.each(['状态 {"a":1}', 'a+b&c=d#e', 'x'.repeat(3_000)])('its state unchanged', async (state) => {
    expect((await answerTo({ state })).get('state')).toBe(state);
  });
});

it.each<[string, Record<string, string>, string]>([
  ['a tab between scopes', { scope: 'openid\tprofile' }, 'invalid_scope'],
  ['a fraction as maximum age', { max_age: '3600.5' }, 'invalid_request'],
  ['a negative maximum age', { max_age: '-1' }, 'invalid_request'],
  ['an unknown response mode', { response_mode: 'weird' }, 'unsupported_response_mode'],
])('an authorization request with %s is rejected', async (_, parameters, error) => {
  expect((await answerTo(parameters)).get('error')).toBe(error);
});

describe('a token request is answered with', () => {
  const basic = (): string =>
    Buffer.from(`${started.app.client_id}:${started.app.client_secret ?? ''}`).toString('base64');

  async function statusOf(headers: Record<string, string>, fields: object = {}, more = ''): Promise<number> {
    const { url, verifier } = await begin(started.config);
    const code = new URL(await redirectOf(ann.client, url)).searchParams.get('code') ?? '';
    const grant = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
    const answer = await started.service.app.inject({
      method: 'POST',
      url: '/api/oauth/token',
      headers: { 'content-type': FORM, authorization: `Basic ${basic()}`, ...headers },
      payload: `${new URLSearchParams({ ...grant, ...fields }).toString()}${more}`,
    });
    return answer.statusCode;
  }

  it.each([`${FORM}; charset=utf8`, `${FORM};charset="UTF-8"`, FORM.toUpperCase(), `${FORM};`])(
    'the type %s',
    async (type) => {
      expect(await statusOf({ 'content-type': type })).toBe(200);
    },
  );

  it.each([
    ['a scheme in lower case', (value: string) => `basic ${value}`],
    ['a scheme in capitals', (value: string) => `BASIC ${value}`],
    ['several spaces after the scheme', (value: string) => `Basic   ${value}`],
    ['no padding', (value: string) => `Basic ${value.replace(/=+$/, '')}`],
  ])('%s', async (_, write) => {
    expect(await statusOf({ authorization: write(basic()) })).toBe(200);
  });

  it('the client id in the body, too, and unknown fields', async () => {
    const fields = { client_id: started.app.client_id, foo: 'x', resource: '' };
    expect(await statusOf({}, fields, '&bar=1&bar=2&')).toBe(200);
  });

  it('an error for a second client authentication, another type, or a space after the code', async () => {
    const twice = { client_id: started.app.client_id, client_secret: started.app.client_secret };
    expect(await statusOf({}, twice)).toBe(400);
    expect(await statusOf({ 'content-type': 'application/json' })).toBe(400);
    expect(await statusOf({}, { code: 'unknown ' })).toBe(400);
  });
});

describe('userinfo is answered with', () => {
  it.each(['bearer', 'BEARER', 'Bearer ', 'Bearer   '])('the scheme %j', async (scheme) => {
    const { access_token } = await logInAt(started.config, ann.client);
    for (const method of ['GET', 'POST', 'HEAD'] as const) {
      const headers = { authorization: `${scheme} ${access_token}` };
      const answer = await started.service.app.inject({ method, url: '/api/oauth/userinfo', headers });
      expect([method, answer.statusCode]).toEqual([method, 200]);
    }
  });
});
