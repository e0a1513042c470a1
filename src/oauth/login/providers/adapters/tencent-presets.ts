import { ConfiguredProvider } from '../configured-provider';
import {
  CodeExchange,
  OAuthProviderAdapter,
  ProviderContext,
  TokenAnswer,
  tokenAnswer,
} from '../oauth-provider-adapter';
import { NO_CLAIMS, ProviderPreset } from '../preset';
import { Claims, ProviderCalls, textOf, withQuery } from '../provider-calls';
import { ProviderFailure } from '../provider-failure';
import { authorizationServerErrors } from '../providers.errors';
import { SharedAnswers } from './shared-answers';

/** Throws for an error code other than 0 (`errcode`, QQ `ret` and `error`), because errors have status 200. */
function succeeded(values: Claims, step: string, ...names: string[]): Claims {
  const wrong = names.map((name) => values[name]).find((code) => code !== undefined && code !== 0);
  if (wrong !== undefined) throw new ProviderFailure(step, { code: wrong });
  return values;
}

/** https://developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Wechat_Login.html */
export class WechatAdapter extends OAuthProviderAdapter {
  readonly template = 'wechat';

  readonly preset: ProviderPreset = {
    label: '微信 WeChat',
    endpoints: {
      authorizeUrl: 'https://open.weixin.qq.com/connect/qrconnect',
      tokenUrl: 'https://api.weixin.qq.com/sns/oauth2/access_token',
      userinfoUrl: 'https://api.weixin.qq.com/sns/userinfo',
      issuer: 'https://open.weixin.qq.com',
    },
    scopes: ['snsapi_login'],
    scopeSeparator: ',',
    mapping: { ...NO_CLAIMS, subject: 'unionid|openid', nickname: 'nickname', avatar: 'headimgurl' },
    pkce: false,
    emailTrust: 'never',
    fields: [],
    authorize: { names: { client_id: 'appid' }, fragment: 'wechat_redirect' },
  };

  override async exchange(
    { provider, endpoints, calls }: ProviderContext,
    { code }: CodeExchange,
  ): Promise<TokenAnswer> {
    const { clientId: appid, clientSecret: secret } = provider;
    const url = withQuery(endpoints.tokenUrl, { appid, secret, code, grant_type: 'authorization_code' });
    return tokenAnswer(succeeded(await calls.get('token', url), 'token', 'errcode'));
  }

  override async claims({ endpoints, calls }: ProviderContext, { accessToken, values }: TokenAnswer): Promise<Claims> {
    const { openid, unionid } = values;
    const about = { access_token: accessToken, openid: textOf(values, 'openid', 'token'), lang: 'zh_CN' };
    const user = succeeded(
      await calls.get('user info', withQuery(endpoints.userinfoUrl ?? '', about)),
      'user info',
      'errcode',
    );
    if (user['openid'] !== openid) throw new ProviderFailure('user info: different openid');
    return { ...user, unionid: user['unionid'] ?? unionid };
  }
}

/** https://wiki.connect.qq.com. Without `fmt=json` the responses are forms and JSONP. */
export class QqAdapter extends OAuthProviderAdapter {
  readonly template = 'qq';

  readonly preset: ProviderPreset = {
    label: 'QQ',
    endpoints: {
      authorizeUrl: 'https://graph.qq.com/oauth2.0/authorize',
      tokenUrl: 'https://graph.qq.com/oauth2.0/token',
      userinfoUrl: 'https://graph.qq.com/user/get_user_info',
      issuer: 'https://graph.qq.com',
    },
    scopes: ['get_user_info'],
    scopeSeparator: ',',
    mapping: { ...NO_CLAIMS, subject: 'unionid|openid', nickname: 'nickname', avatar: 'figureurl_qq_2|figureurl_qq_1' },
    pkce: false,
    emailTrust: 'never',
    fields: [],
  };

  override async exchange(
    { provider, endpoints, calls }: ProviderContext,
    { code, redirectUri }: CodeExchange,
  ): Promise<TokenAnswer> {
    const url = withQuery(endpoints.tokenUrl, {
      grant_type: 'authorization_code',
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      code,
      redirect_uri: redirectUri,
      fmt: 'json',
    });
    return tokenAnswer(succeeded(await calls.get('token', url), 'token', 'error'));
  }

  override async claims(
    { provider, endpoints, calls }: ProviderContext,
    { accessToken }: TokenAnswer,
  ): Promise<Claims> {
    const { openid, unionid } = await this.identify(endpoints.tokenUrl, accessToken, calls);
    const about = { access_token: accessToken, oauth_consumer_key: provider.clientId, openid };
    const user = await calls.get('user info', withQuery(endpoints.userinfoUrl ?? '', about));
    return { ...succeeded(user, 'user info', 'ret'), openid, unionid };
  }

  /** Apps without the union id permission get error 100048. Then only the openid is used. */
  private async identify(
    tokenUrl: string,
    accessToken: string,
    calls: ProviderCalls,
  ): Promise<{ openid: string; unionid: unknown }> {
    const address = new URL('me', tokenUrl).href;
    const query = { access_token: accessToken, fmt: 'json' };
    let answer = await calls.get('openid', withQuery(address, { ...query, unionid: '1' }));
    if (answer['error'] === 100048) answer = await calls.get('openid', withQuery(address, query));
    succeeded(answer, 'openid', 'error');
    return { openid: textOf(answer, 'openid', 'openid'), unionid: answer['unionid'] };
  }
}

const TOKEN_MARGIN_MS = 300_000;

/**
 * Invalid and expired tokens (https://developer.work.weixin.qq.com/document/path/90313). Revoked tokens have either
 * code.
 */
const TOKEN_IS_DEAD: ReadonlySet<unknown> = new Set([40014, 42001]);

/** https://developer.work.weixin.qq.com/document/path/98151. The access token belongs to the app, not to the user. */
export class WecomAdapter extends OAuthProviderAdapter {
  readonly template = 'wecom';

  readonly preset: ProviderPreset = {
    label: '企业微信 WeCom',
    endpoints: {
      authorizeUrl: 'https://login.work.weixin.qq.com/wwlogin/sso/login',
      tokenUrl: 'https://qyapi.weixin.qq.com/cgi-bin/gettoken',
      userinfoUrl: 'https://qyapi.weixin.qq.com/cgi-bin/auth/getuserinfo',
      issuer: 'https://work.weixin.qq.com',
    },
    scopes: [],
    mapping: {
      ...NO_CLAIMS,
      subject: 'userid|openid',
      email: 'email|biz_mail',
      phone: 'mobile',
      nickname: 'name',
      avatar: 'avatar',
    },
    pkce: false,
    emailTrust: 'never',
    fields: [
      { name: 'agent_id', required: true, pattern: /^\d{1,20}$/ },
      { name: 'guests', required: false, pattern: /^(refuse|allow)$/, fallback: 'refuse' },
    ],
    authorize: {
      names: { client_id: 'appid' },
      omit: ['response_type', 'scope'],
      extra: { login_type: 'CorpApp', agentid: '{agent_id}' },
    },
    phoneRegion: 'CN',
  };

  private readonly tokens = new SharedAnswers<string>();

  override async exchange(
    { provider, endpoints, calls }: ProviderContext,
    { code }: CodeExchange,
  ): Promise<TokenAnswer> {
    const ask = async (): Promise<TokenAnswer> => {
      const accessToken = await this.corpToken(provider, endpoints.tokenUrl, calls);
      const url = withQuery(endpoints.userinfoUrl ?? '', { access_token: accessToken, code });
      return { accessToken, values: await calls.get('user info', url) };
    };
    let answer = await ask();
    if (TOKEN_IS_DEAD.has(answer.values['errcode'])) {
      this.tokens.invalidate(provider, answer.accessToken);
      answer = await ask();
    }
    succeeded(answer.values, 'user info', 'errcode');
    return answer;
  }

  override async claims(
    { provider, endpoints, calls }: ProviderContext,
    { accessToken, values }: TokenAnswer,
  ): Promise<Claims> {
    const { userid, UserId, openid, OpenId, user_ticket } = values;
    const member = userid ?? UserId;
    if (typeof member !== 'string' || member === '') return guest(provider, openid ?? OpenId);
    const user = await this.details(endpoints.userinfoUrl ?? '', accessToken, { member, ticket: user_ticket }, calls);
    return { ...user, userid: member, openid: undefined };
  }

  /** User ids are unique only within a company. */
  override issuer({ provider }: ProviderContext): string {
    return `${provider.issuer ?? ''}/${provider.clientId}`;
  }

  private async details(
    userinfoUrl: string,
    accessToken: string,
    { member, ticket }: { member: string; ticket: unknown },
    calls: ProviderCalls,
  ): Promise<Claims> {
    const at = (path: string, query: Readonly<Record<string, string>>): string =>
      withQuery(new URL(path, userinfoUrl).href, { access_token: accessToken, ...query });
    const user = await calls.get('member', at('../user/get', { userid: member }));
    const basic = user['errcode'] === undefined || user['errcode'] === 0 ? user : {};
    if (typeof ticket !== 'string') return basic;
    const detail = await calls.postJson('member details', at('getuserdetail', {}), { user_ticket: ticket });
    return { ...basic, ...succeeded(detail, 'member details', 'errcode') };
  }

  /** The token is valid for two hours, and the provider limits requests for it, so it is cached. */
  private corpToken(provider: ConfiguredProvider, tokenUrl: string, calls: ProviderCalls): Promise<string> {
    return this.tokens.get(provider, async () => {
      const { clientId: corpid, clientSecret: corpsecret } = provider;
      const answer = await calls.get('token', withQuery(tokenUrl, { corpid, corpsecret }));
      const { expires_in: seconds, ...values } = succeeded(answer, 'token', 'errcode');
      const life = typeof seconds === 'number' ? seconds * 1_000 - TOKEN_MARGIN_MS : 0;
      return { value: textOf(values, 'access_token', 'token'), milliseconds: Math.max(0, life) };
    });
  }
}

/** A user outside the company has only an openid, and may log in only if the operator allows guests. */
function guest({ params }: ConfiguredProvider, openid: unknown): Claims {
  if (params['guests'] !== 'allow') throw authorizationServerErrors.providerDenied();
  return { openid };
}
