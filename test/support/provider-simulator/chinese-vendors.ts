import { createPublicKey, createSign, createVerify, generateKeyPairSync } from 'node:crypto';
import { Answered, Asked, bearerOf, CLIENT_ID, CLIENT_SECRET, json, redirect, sendBack, Vendor } from './exchange';

const credentials = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
/** WeChat returns JSON with the type text/plain. */
const text = (value: unknown): Answered => json(value, 200, 'text/plain');

/** https://developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Wechat_Login.html */
export const wechat: Vendor = {
  template: 'wechat',
  configuration: (base) => ({
    ...credentials,
    authorize_url: `${base}/wechat/connect/qrconnect`,
    token_url: `${base}/wechat/sns/oauth2/access_token`,
    userinfo_url: `${base}/wechat/sns/userinfo`,
  }),
  routes: (desk) => ({
    'GET /wechat/connect/qrconnect': (asked) => sendBack(desk, asked, 'code', 'appid'),
    'GET /wechat/sns/oauth2/access_token': ({ query }) => {
      if (query['secret'] !== CLIENT_SECRET) return text({ errcode: 40125, errmsg: 'invalid appsecret' });
      const grant = desk.spend(query['code'], { clientId: query['appid'] });
      if (!grant) return text({ errcode: 40029, errmsg: 'invalid code' });
      return text({
        access_token: desk.token(grant),
        expires_in: 7200,
        refresh_token: 'REFRESH_TOKEN',
        openid: `openid-${grant.person.id}`,
        scope: 'snsapi_login',
        unionid: `unionid-${grant.person.id}`,
      });
    },
    'GET /wechat/sns/userinfo': ({ query }) => {
      const grant = desk.whose(query['access_token']);
      if (!grant) return text({ errcode: 40001, errmsg: 'invalid credential' });
      const { id, name, avatar } = grant.person;
      const place = { sex: 0, province: '', city: '', country: '', privilege: [] };
      return text({ openid: `openid-${id}`, nickname: name, headimgurl: avatar, unionid: `unionid-${id}`, ...place });
    },
  }),
};

/** https://wiki.connect.qq.com/使用authorization_code获取access_token, /unionid介绍, /get_user_info */
export const qq: Vendor = {
  template: 'qq',
  configuration: (base) => ({
    ...credentials,
    authorize_url: `${base}/qq/oauth2.0/authorize`,
    token_url: `${base}/qq/oauth2.0/token`,
    userinfo_url: `${base}/qq/user/get_user_info`,
  }),
  routes: (desk) => {
    const callback = (value: unknown): Answered => ({
      type: 'text/html',
      body: `callback( ${JSON.stringify(value)} );`,
    });
    const shaped = ({ query }: Asked, value: unknown): Answered =>
      query['fmt'] === 'json' ? text(value) : callback(value);
    return {
      'GET /qq/oauth2.0/authorize': (asked) => sendBack(desk, asked),
      'GET /qq/oauth2.0/token': (asked) => {
        const { query } = asked;
        const proof = { redirectUri: query['redirect_uri'], clientId: query['client_id'] };
        const grant = query['client_secret'] === CLIENT_SECRET ? desk.spend(query['code'], proof) : undefined;
        if (!grant) return shaped(asked, { error: 100020, error_description: 'code is reused error' });
        const answer = { access_token: desk.token(grant), expires_in: '7776000', refresh_token: 'REFRESH' };
        return query['fmt'] === 'json'
          ? text(answer)
          : { type: 'text/html', body: new URLSearchParams(answer).toString() };
      },
      'GET /qq/oauth2.0/me': (asked) => {
        const { query } = asked;
        const grant = desk.whose(query['access_token']);
        if (!grant) return shaped(asked, { error: 100016, error_description: 'access token check failed' });
        const { id } = grant.person;
        const union = query['unionid'] === '1' ? { unionid: `UID_${id}` } : {};
        return shaped(asked, { client_id: CLIENT_ID, openid: `OPENID${id}`, ...union });
      },
      'GET /qq/user/get_user_info': ({ query }) => {
        const grant = desk.whose(query['access_token']);
        const isWhole =
          query['oauth_consumer_key'] === CLIENT_ID && query['openid'] === `OPENID${grant?.person.id ?? ''}`;
        if (!grant || !isWhole) return text({ ret: -23, msg: 'token is invalid' });
        const { name, avatar } = grant.person;
        return text({ ret: 0, msg: '', nickname: name, figureurl_qq_1: 'http://q.example/40', figureurl_qq_2: avatar });
      },
    };
  },
};

/** https://developer.work.weixin.qq.com/document/path/91039, /98152, /98176, /90196, /95833 */
export const wecom: Vendor = {
  template: 'wecom',
  configuration: (base) => ({
    ...credentials,
    authorize_url: `${base}/wecom/wwlogin/sso/login`,
    token_url: `${base}/wecom/cgi-bin/gettoken`,
    userinfo_url: `${base}/wecom/cgi-bin/auth/getuserinfo`,
    params: { agent_id: '1000002' },
  }),
  routes: (desk) => {
    const ok = { errcode: 0, errmsg: 'ok' };
    const invalid = text({ errcode: 40014, errmsg: 'invalid access_token' });
    const isApp = (token: unknown): boolean => token === 'APP_TOKEN';
    return {
      'GET /wecom/wwlogin/sso/login': (asked) => {
        const { login_type, agentid } = asked.query;
        if (login_type !== 'CorpApp' || agentid !== '1000002') return { status: 400, body: '参数错误' };
        return sendBack(desk, asked, 'code', 'appid');
      },
      'GET /wecom/cgi-bin/gettoken': ({ query }) => {
        const isRight = query['corpid'] === CLIENT_ID && query['corpsecret'] === CLIENT_SECRET;
        return text(
          isRight
            ? { ...ok, access_token: 'APP_TOKEN', expires_in: 7200 }
            : { errcode: 40001, errmsg: 'invalid credential' },
        );
      },
      'GET /wecom/cgi-bin/auth/getuserinfo': ({ query }) => {
        if (!isApp(query['access_token'])) return invalid;
        const grant = desk.spend(query['code'], {});
        if (!grant) return text({ errcode: 40029, errmsg: 'invalid code' });
        return text({ ...ok, userid: grant.person.id, user_ticket: desk.token(grant) });
      },
      'GET /wecom/cgi-bin/user/get': ({ query }) => {
        if (!isApp(query['access_token'])) return invalid;
        return text({ ...ok, userid: query['userid'], name: desk.person().name });
      },
      'POST /wecom/cgi-bin/auth/getuserdetail': ({ query, json: body }) => {
        const grant = isApp(query['access_token']) ? desk.whose(body['user_ticket']) : undefined;
        if (!grant) return text({ errcode: 41009, errmsg: 'user_ticket missing' });
        const { id, mobile, avatar, email } = grant.person;
        return text({ ...ok, userid: id, mobile, avatar, email, gender: '0' });
      },
    };
  },
};

/** https://open.dingtalk.com/document/orgapp/obtain-user-token and /obtain-user-personal-information-get */
export const dingtalk: Vendor = {
  template: 'dingtalk',
  configuration: (base) => ({
    ...credentials,
    authorize_url: `${base}/dingtalk/oauth2/auth`,
    token_url: `${base}/dingtalk/v1.0/oauth2/userAccessToken`,
    userinfo_url: `${base}/dingtalk/v1.0/contact/users/me`,
  }),
  routes: (desk) => ({
    'GET /dingtalk/oauth2/auth': (asked) => {
      if (asked.query['prompt'] !== 'consent') return { status: 400, body: 'prompt' };
      return sendBack(desk, asked, 'authCode');
    },
    'POST /dingtalk/v1.0/oauth2/userAccessToken': ({ json: body }) => {
      const isRight = body['clientSecret'] === CLIENT_SECRET && body['grantType'] === 'authorization_code';
      const grant = isRight ? desk.spend(body['code'], { clientId: body['clientId'] }) : undefined;
      if (!grant) {
        return json({ code: 'invalidParameter.authCode.notFound', message: '不存在的authCode', requestid: 'R' }, 400);
      }
      return json({ expireIn: 7200, accessToken: desk.token(grant), refreshToken: 'REFRESH', corpId: 'corp' });
    },
    'GET /dingtalk/v1.0/contact/users/me': ({ headers }) => {
      const grant = desk.whose(headers['x-acs-dingtalk-access-token']);
      if (!grant) return json({ code: 'InvalidAuthentication', message: '不合法的access_token', requestid: 'R' }, 400);
      const { id, name, mobile, email, avatar } = grant.person;
      return json({
        nick: name,
        avatarUrl: avatar,
        mobile,
        stateCode: '86',
        openId: `open-${id}`,
        unionId: `union-${id}`,
        email,
      });
    },
  }),
};

/** https://open.feishu.cn/document/authentication-management/access-token/get-user-access-token, …/authen-v1/user_info/get */
export const feishu: Vendor = {
  template: 'feishu',
  configuration: (base) => ({
    ...credentials,
    issuer: `${base}/feishu`,
    authorize_url: `${base}/feishu/open-apis/authen/v1/authorize`,
    token_url: `${base}/feishu/oauth/v3/token`,
    userinfo_url: `${base}/feishu/open-apis/authen/v1/user_info`,
  }),
  routes: (desk) => ({
    'GET /feishu/open-apis/authen/v1/authorize': (asked) => {
      if (asked.query['code_challenge'] === undefined) return { status: 400, body: 'code_challenge' };
      return sendBack(desk, asked);
    },
    'POST /feishu/oauth/v3/token': ({ json: body }) => {
      const proof = { redirectUri: body['redirect_uri'], clientId: body['client_id'], verifier: body['code_verifier'] };
      const grant = body['client_secret'] === CLIENT_SECRET ? desk.spend(body['code'], proof) : undefined;
      if (!grant) {
        return json({ code: 20003, error: 'invalid_grant', error_description: 'The authorization code is invalid.' });
      }
      return json({ code: 0, access_token: desk.token(grant), expires_in: 7200, token_type: 'Bearer', scope: '' });
    },
    'GET /feishu/open-apis/authen/v1/user_info': (asked) => {
      const grant = desk.whose(bearerOf(asked));
      if (!grant) return json({ code: 20005, msg: 'The user access token passed is invalid.' });
      const { id, name, email, mobile, avatar } = grant.person;
      const names = { open_id: `ou_${id}`, union_id: `on_${id}`, tenant_key: 'tenant1' };
      return json({
        code: 0,
        msg: 'success',
        data: { name, avatar_url: avatar, ...names, email, mobile: `+86${mobile}` },
      });
    },
  }),
};

const application = generateKeyPairSync('rsa', { modulusLength: 2048 });
const alipayKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const applicationPublic = createPublicKey(application.privateKey);

function signedBy(fields: Readonly<Record<string, string>>): boolean {
  const { sign = '', ...rest } = fields;
  const content = Object.keys(rest)
    .sort()
    .filter((name) => rest[name] !== '')
    .map((name) => `${name}=${rest[name] ?? ''}`);
  return createVerify('RSA-SHA256').update(content.join('&'), 'utf8').verify(applicationPublic, sign, 'base64');
}

/** Whether the timestamp is within 15 minutes of the local time of Shanghai. */
const isShanghaiTime = (timestamp = ''): boolean =>
  Math.abs(Date.parse(`${timestamp.replace(' ', 'T')}+08:00`) - Date.now()) < 900_000;

function wrapped(name: string, value: unknown): Answered {
  // Alipay escapes slashes, so the signature covers the exact characters and not the parsed JSON.
  const content = JSON.stringify(value).replaceAll('/', '\\/');
  const sign = createSign('RSA-SHA256').update(content, 'utf8').sign(alipayKeys.privateKey, 'base64');
  return { type: 'text/html;charset=utf-8', body: `{"${name}":${content},"sign":"${sign}"}` };
}

/** https://opendocs.alipay.com/open/02ailc (alipay.system.oauth.token) and /02aild (alipay.user.info.share) */
export const alipay: Vendor = {
  template: 'alipay',
  configuration: (base) => ({
    client_id: CLIENT_ID,
    client_secret: application.privateKey.export({ type: 'pkcs1', format: 'der' }).toString('base64'),
    authorize_url: `${base}/alipay/oauth2/publicAppAuthorize.htm`,
    token_url: `${base}/alipay/gateway.do`,
    params: { alipay_public_key: alipayKeys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64') },
  }),
  routes: (desk) => ({
    'GET /alipay/oauth2/publicAppAuthorize.htm': (asked) => {
      const target = new URL(asked.query['redirect_uri'] ?? '');
      target.searchParams.set('app_id', asked.query['app_id'] ?? '');
      target.searchParams.set('auth_code', desk.consent(asked, asked.query['app_id']));
      target.searchParams.set('state', asked.query['state'] ?? '');
      target.searchParams.set('scope', asked.query['scope'] ?? '');
      return redirect(target.href);
    },
    'POST /alipay/gateway.do': ({ form }) => {
      const refuse = (sub: string): Answered =>
        wrapped('error_response', { code: '40002', msg: 'Invalid Arguments', sub_code: sub });
      if (!signedBy(form)) return refuse('isv.invalid-signature');
      if (!isShanghaiTime(form['timestamp'])) return refuse('isv.invalid-timestamp');
      if (form['method'] === 'alipay.system.oauth.token') {
        const grant = desk.spend(form['code'], { clientId: form['app_id'] });
        if (!grant) return refuse('isv.code-invalid');
        const { id } = grant.person;
        const tokens = {
          access_token: desk.token(grant),
          expires_in: 1296000,
          refresh_token: 'R',
          re_expires_in: 2592000,
        };
        return wrapped('alipay_system_oauth_token_response', { user_id: `2088${id}`, open_id: `open${id}`, ...tokens });
      }
      const grant = desk.whose(form['auth_token']);
      if (!grant) {
        return wrapped('alipay_user_info_share_response', {
          code: '20001',
          msg: 'Insufficient Token Permissions',
          sub_code: 'aop.invalid-auth-token',
        });
      }
      const { id, name, avatar } = grant.person;
      return wrapped('alipay_user_info_share_response', {
        code: '10000',
        msg: 'Success',
        open_id: `open${id}`,
        nick_name: `${name} {"}`,
        avatar,
      });
    },
  }),
};
