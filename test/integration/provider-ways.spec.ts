import { KeyFormatError } from '../../src/platform/crypto';
import { CLIENT_ID, ProviderSimulator, vendors } from '../support/provider-simulator';
import { adapterOf, configured, QuirkLogin, REDIRECT_URI } from '../support/oauth/quirk-login';

let simulator: ProviderSimulator;

beforeAll(async () => {
  simulator = await ProviderSimulator.start();
});

afterAll(() => simulator.stop());

const CODE = { response_type: 'code', client_id: CLIENT_ID };
const NONCE = { nonce: 'the nonce' };
/** The challenge of the verifier in `QuirkLogin` (RFC 7636 appendix B). */
const PKCE = {
  code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
  code_challenge_method: 'S256',
};
const OPENID = { scope: 'openid profile email' };

/**
 * Authorization parameters of each vendor beside state and redirect URI, as documented on the pages named at its
 * adapter.
 */
const ways: Record<string, object> = {
  github: { ...CODE, ...PKCE, scope: 'read:user user:email' },
  google: { ...CODE, ...PKCE, ...NONCE, ...OPENID },
  microsoft: { ...CODE, ...PKCE, ...NONCE, ...OPENID },
  gitlab: { ...CODE, ...PKCE, ...OPENID },
  gitee: { ...CODE, scope: 'user_info emails' },
  apple: { ...CODE, ...NONCE, scope: 'name email', response_mode: 'form_post' },
  feishu: { ...CODE, ...PKCE },
  dingtalk: { ...CODE, scope: 'openid', prompt: 'consent' },
  wecom: { appid: CLIENT_ID, login_type: 'CorpApp', agentid: '1000002' },
  wechat: { response_type: 'code', appid: CLIENT_ID, scope: 'snsapi_login' },
  qq: { ...CODE, scope: 'get_user_info' },
  alipay: { app_id: CLIENT_ID, scope: 'auth_user' },
  oauth2: { ...CODE, ...PKCE, scope: 'profile' },
  oidc: { ...CODE, ...PKCE, ...NONCE, ...OPENID },
};

describe.each(vendors.map(({ template }) => template))('the authorization request to %s', (template) => {
  it('contains exactly the documented parameters', async () => {
    const { searchParams, hash } = await new QuirkLogin(simulator, template).begin();
    const { redirect_uri, state, ...rest } = Object.fromEntries(searchParams);
    expect({ redirect_uri, state }).toEqual({ redirect_uri: REDIRECT_URI, state: 'the state' });
    expect(rest).toEqual(ways[template]);
    // https://developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Wechat_Login.html: without it the page is
    // blank.
    expect(hash).toBe(template === 'wechat' ? '#wechat_redirect' : '');
  });

  it('uses a form post response if the vendor does', () => {
    expect(new QuirkLogin(simulator, template).upstream.answersByFormPost).toBe(template === 'apple');
  });
});

it.each([
  ['wechat', 'a,b'],
  ['qq', 'a,b'],
  ['alipay', 'a,b'],
  ['github', 'a b'],
  ['oidc', 'a b'],
])('joins several scopes of %s as %s', async (template, written) => {
  const way = await new QuirkLogin(simulator, template, { scopes: ['a', 'b'] }).begin();
  expect(way.searchParams.get('scope')).toBe(written);
});

describe('addresses of a template', () => {
  const addresses = (...of: Parameters<typeof configured>): unknown[] => {
    const { authorizeUrl, tokenUrl, userinfoUrl, issuer } = configured(...of);
    return [authorizeUrl, tokenUrl, userinfoUrl, issuer];
  };

  it('of Feishu depend on the region, with Lark abroad', () => {
    for (const region of ['feishu.cn', 'larksuite.com']) {
      expect(addresses('feishu', region === 'feishu.cn' ? {} : { params: { region } })).toEqual([
        `https://accounts.${region}/open-apis/authen/v1/authorize`,
        `https://accounts.${region}/oauth/v3/token`,
        `https://open.${region}/open-apis/authen/v1/user_info`,
        `https://accounts.${region}`,
      ]);
    }
  });

  it('of GitLab are on the host of the issuer', () => {
    const issuer = 'https://git.example.com';
    const [authorize, token, userinfo] = ['authorize', 'token', 'userinfo'].map((end) => `${issuer}/oauth/${end}`);
    expect(addresses('gitlab', { issuer })).toEqual([authorize, token, userinfo, issuer]);
  });

  it('of Microsoft contain the tenant', () => {
    const at = 'https://login.microsoftonline.com/contoso.example';
    expect(addresses('microsoft', { params: { tenant: 'contoso.example' } })).toEqual([
      `${at}/oauth2/v2.0/authorize`,
      `${at}/oauth2/v2.0/token`,
      null,
      `${at}/v2.0`,
    ]);
  });
});

it.each(['apple', 'alipay'])('rejects a secret of %s that is no private key before any use', (template) => {
  const provider = configured(template, { client_secret: 'not a key', params: { team_id: 'T', key_id: 'K' } });
  expect(() => {
    adapterOf(template).checkSecret(provider);
  }).toThrow(KeyFormatError);
});
