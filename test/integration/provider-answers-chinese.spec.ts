import { ANN, Answered, json, ProviderSimulator } from '../support/provider-simulator';
import { Given, QuirkLogin } from '../support/oauth/quirk-login';

let simulator: ProviderSimulator;

beforeAll(async () => {
  simulator = await ProviderSimulator.start();
});

afterAll(() => simulator.stop());

afterEach(() => {
  simulator.restore();
  simulator.asked.length = 0;
});

const login = (template: string, given?: Given): QuirkLogin => new QuirkLogin(simulator, template, given);
const askedAt = (path: string): Record<string, string> => {
  const { query, form } = simulator.asked.find((asked) => asked.path === path)!;
  return { ...query, ...form };
};

/** Errors with status 200: the reason must be the vendor's code, not the missing field. */
describe.each<[string, string, object, string]>([
  ['feishu', 'POST /feishu/oauth/v3/token', { code: 20003, error: 'invalid_grant' }, 'token (20003)'],
  ['feishu', 'GET /feishu/open-apis/authen/v1/user_info', { code: 20005, msg: 'invalid' }, 'user info (20005)'],
  ['wechat', 'GET /wechat/sns/oauth2/access_token', { errcode: 40029, errmsg: 'invalid code' }, 'token (40029)'],
  ['wechat', 'GET /wechat/sns/userinfo', { errcode: 40001, openid: 'openid-4711' }, 'user info (40001)'],
  ['qq', 'GET /qq/oauth2.0/token', { error: 100020, error_description: 'code is reused error' }, 'token (100020)'],
  ['qq', 'GET /qq/oauth2.0/me', { error: 100016, error_description: 'check failed' }, 'openid (100016)'],
  ['qq', 'GET /qq/user/get_user_info', { ret: -23, msg: 'token is invalid' }, 'user info (-23)'],
  ['wecom', 'GET /wecom/cgi-bin/gettoken', { errcode: 40001, errmsg: 'invalid credential' }, 'token (40001)'],
  ['wecom', 'GET /wecom/cgi-bin/auth/getuserinfo', { errcode: 40029, userid: '4711' }, 'user info (40029)'],
  ['wecom', 'POST /wecom/cgi-bin/auth/getuserdetail', { errcode: 41009 }, 'member details (41009)'],
])('%s at %s', (template, route, answer, reason) => {
  it(`fails with ${reason}`, async () => {
    simulator.override(route, () => json(answer));
    expect(await login(template).failure()).toBe(reason);
  });
});

describe.each<[string, string, string]>([
  ['wechat', 'GET /wechat/sns/oauth2/access_token', 'token: status 500'],
  ['wechat', 'GET /wechat/sns/userinfo', 'user info: status 500'],
  ['qq', 'GET /qq/oauth2.0/token', 'token: status 500'],
  ['qq', 'GET /qq/oauth2.0/me', 'openid: status 500'],
  ['qq', 'GET /qq/user/get_user_info', 'user info: status 500'],
  ['wecom', 'GET /wecom/cgi-bin/gettoken', 'token: status 500'],
  ['wecom', 'GET /wecom/cgi-bin/auth/getuserinfo', 'user info: status 500'],
])('%s after an error at %s', (template, route, reason) => {
  it(`fails with ${reason}`, async () => {
    simulator.override(route, () => json({}, 500));
    expect(await login(template).failure()).toBe(reason);
  });
});

describe('WeChat', () => {
  it("reads the profile of the token's openid and rejects another one", async () => {
    const wechat = login('wechat');
    await wechat.profile();
    expect(askedAt('/wechat/sns/userinfo')).toMatchObject({ openid: `openid-${ANN.id}` });
    wechat.alterJson('GET /wechat/sns/userinfo', (user) => ({ ...user, openid: 'openid-666' }));
    expect(await wechat.failure()).toBe('user info: different openid');
  });

  it('takes the union id from the token response when the profile lacks it', async () => {
    const wechat = login('wechat');
    wechat.alterJson('GET /wechat/sns/userinfo', ({ unionid: _unionid, ...user }) => user);
    expect((await wechat.profile()).subjects[0]).toEqual({ claim: 'unionid', value: `unionid-${ANN.id}` });
  });

  it('takes the union id from the profile when the token response lacks it', async () => {
    const wechat = login('wechat');
    wechat.alterJson('GET /wechat/sns/oauth2/access_token', ({ unionid: _unionid, ...token }) => token);
    expect((await wechat.profile()).subjects[0]).toEqual({ claim: 'unionid', value: `unionid-${ANN.id}` });
  });
});

describe('QQ', () => {
  it('identifies a user by openid when the app lacks the union id', async () => {
    const qq = login('qq');
    qq.alterJson('GET /qq/oauth2.0/me', (me, { query }) => (query['unionid'] === '1' ? { error: 100048 } : me));
    expect((await qq.profile()).subjects).toEqual([{ claim: 'openid', value: `OPENID${ANN.id}` }]);
  });

  it('uses the small picture over http when there is no other', async () => {
    const qq = login('qq');
    qq.alterJson('GET /qq/user/get_user_info', ({ figureurl_qq_2: _large, ...user }) => user);
    expect((await qq.profile()).avatar).toBe('https://q.example/40');
  });
});

describe('DingTalk', () => {
  const ME = 'GET /dingtalk/v1.0/contact/users/me';

  it.each([
    ['1', '2025550123', '+12025550123'],
    ['+44', '7911123456', '+447911123456'],
  ])('separates the country code %s from the number', async (stateCode, mobile, phone) => {
    const dingtalk = login('dingtalk');
    dingtalk.alterJson(ME, (user) => ({ ...user, stateCode, mobile }));
    expect((await dingtalk.profile()).phone).toBe(phone);
  });

  it('accepts the code under the standard parameter name', async () => {
    const { subjects } = await login('dingtalk').profile(({ authCode: code, ...rest }) => ({ ...rest, code }));
    expect(subjects[0].value).toBe(`union-${ANN.id}`);
  });
});

it('Feishu uses the company e-mail when there is no other', async () => {
  const feishu = login('feishu');
  feishu.alterJson('GET /feishu/open-apis/authen/v1/user_info', ({ data, ...rest }) => ({
    ...rest,
    data: { ...(data as object), email: '', enterprise_email: 'ann@company.example' },
  }));
  expect((await feishu.profile()).email).toBe('ann@company.example');
});

describe('WeCom', () => {
  const [IDENTITY, MEMBER, DETAIL] = [
    'GET /wecom/cgi-bin/auth/getuserinfo',
    'GET /wecom/cgi-bin/user/get',
    'POST /wecom/cgi-bin/auth/getuserdetail',
  ] as const;

  it.each(['UserId', 'userid'])('reads a member id spelled %s', async (name) => {
    const wecom = login('wecom');
    wecom.alterJson(IDENTITY, ({ userid, ...rest }) => ({ ...rest, [name]: userid }));
    expect((await wecom.profile()).subjects).toEqual([{ claim: 'userid', value: ANN.id }]);
  });

  it.each(['OpenId', 'openid'])('reads a guest id spelled %s', async (name) => {
    simulator.override(IDENTITY, () => json({ errcode: 0, [name]: 'the-guest' }));
    const { subjects } = await login('wecom', { params: { guests: 'allow' } }).profile();
    expect(subjects).toEqual([{ claim: 'openid', value: 'the-guest' }]);
  });

  it('ignores an openid in the details of a member', async () => {
    const wecom = login('wecom');
    wecom.alterJson(MEMBER, (user) => ({ ...user, openid: 'of-somebody' }));
    expect((await wecom.profile()).subjects).toHaveLength(1);
  });

  it('accepts a member whose details the app may not read', async () => {
    simulator.override(MEMBER, () => json({ errcode: 60011, errmsg: 'no privilege to access/modify' }));
    expect(await login('wecom').profile()).toMatchObject({ email: ANN.email, phone: `+86${ANN.mobile}` });
  });

  it('uses the company e-mail when there is no other', async () => {
    const wecom = login('wecom');
    wecom.alterJson(DETAIL, ({ email: _email, ...user }) => ({ ...user, biz_mail: 'ann@company.example' }));
    expect((await wecom.profile()).email).toBe('ann@company.example');
  });
});

describe('Alipay', () => {
  const GATEWAY = 'POST /alipay/gateway.do';
  const isAboutPerson = ({ body }: Answered): boolean => body.includes('user_info_share');

  it('sends the certificate serial numbers of the app, and the declared charset', async () => {
    const params = { app_cert_sn: 'a'.repeat(32), alipay_root_cert_sn: `${'b'.repeat(32)}_${'c'.repeat(32)}` };
    await login('alipay', { params }).profile();
    expect(askedAt('/alipay/gateway.do')).toMatchObject({ ...params, charset: 'utf-8', sign_type: 'RSA2' });
    const { headers } = simulator.asked.find(({ path }) => path === '/alipay/gateway.do')!;
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded;charset=utf-8');
  });

  it.each<[string, (body: string) => string, string]>([
    ['changed', (body) => body.replace('nick_name":"', 'nick_name":"x'), 'user info: signature'],
    ['signed with an unknown key', (body) => body.replace(/,"sign":"[^"]+"/, ''), 'user info: not signed'],
    ['unreadable', () => '<html>', 'user info: not JSON'],
  ])('rejects a response that is %s', async (_, change, reason) => {
    const alipay = login('alipay');
    alipay.alter(GATEWAY, (answer) => (isAboutPerson(answer) ? { ...answer, body: change(answer.body) } : answer));
    expect(await alipay.failure()).toBe(reason);
  });

  it('reports an error at the top level or within the response', async () => {
    const alipay = login('alipay');
    expect(await alipay.failure((params) => ({ ...params, auth_code: 'another' }))).toBe('token (isv.code-invalid)');
    jest.spyOn(simulator, 'whose').mockReturnValueOnce(undefined);
    expect(await alipay.failure()).toBe('user info (aop.invalid-auth-token)');
  });

  it('fails with a configured key that cannot be parsed', async () => {
    const params = { alipay_public_key: 'A'.repeat(200) };
    expect(await login('alipay', { params }).failure()).toBe('token: a configured key cannot be read');
  });
});
