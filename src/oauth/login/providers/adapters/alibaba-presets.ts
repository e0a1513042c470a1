import { KeyFormatError, signRsaSha256, verifyRsaSha256 } from '../../../../platform/crypto';
import { ConfiguredProvider } from '../configured-provider';
import {
  CodeExchange,
  OAuthProviderAdapter,
  ProviderContext,
  TokenAnswer,
  tokenAnswer,
} from '../oauth-provider-adapter';
import { NO_CLAIMS, ProviderPreset } from '../preset';
import { Claims, claimsIn, parseClaims } from '../provider-calls';
import { ProviderFailure } from '../provider-failure';
import { memberText, signedText, timestampOf } from './alipay-signing';

/** https://open.dingtalk.com/document/orgapp/tutorial-obtaining-user-personal-information */
export class DingtalkAdapter extends OAuthProviderAdapter {
  readonly template = 'dingtalk';

  readonly preset: ProviderPreset = {
    label: '钉钉 DingTalk',
    endpoints: {
      authorizeUrl: 'https://login.dingtalk.com/oauth2/auth',
      tokenUrl: 'https://api.dingtalk.com/v1.0/oauth2/userAccessToken',
      userinfoUrl: 'https://api.dingtalk.com/v1.0/contact/users/me',
      issuer: 'https://login.dingtalk.com',
    },
    scopes: ['openid'],
    mapping: {
      ...NO_CLAIMS,
      subject: 'unionId|openId',
      email: 'email',
      phone: 'phone',
      nickname: 'nick',
      avatar: 'avatarUrl',
    },
    pkce: false,
    emailTrust: 'never',
    fields: [],
    authorize: { extra: { prompt: 'consent' } },
    codeParameters: ['authCode', 'code'],
  };

  override async exchange(
    { provider, endpoints, calls }: ProviderContext,
    { code }: CodeExchange,
  ): Promise<TokenAnswer> {
    const { clientId, clientSecret } = provider;
    const fields = { clientId, clientSecret, code, grantType: 'authorization_code' };
    return tokenAnswer(await calls.postJson('token', endpoints.tokenUrl, fields), 'accessToken');
  }

  override async claims({ endpoints, calls }: ProviderContext, { accessToken }: TokenAnswer): Promise<Claims> {
    const headers = { 'x-acs-dingtalk-access-token': accessToken };
    const user = await calls.get('user info', endpoints.userinfoUrl ?? '', headers);
    const { stateCode, mobile } = user;
    const isWhole = typeof stateCode === 'string' && typeof mobile === 'string';
    return { ...user, phone: isWhole ? `+${stateCode.replace('+', '')}${mobile}` : mobile };
  }
}

const OPTIONAL_CERTIFICATE = { required: false, pattern: /^[0-9a-f_]{32,200}$/ };

/** https://opendocs.alipay.com/open/263/105808: every request and response is signed. */
export class AlipayAdapter extends OAuthProviderAdapter {
  readonly template = 'alipay';

  readonly preset: ProviderPreset = {
    label: '支付宝 Alipay',
    endpoints: {
      authorizeUrl: 'https://openauth.alipay.com/oauth2/publicAppAuthorize.htm',
      tokenUrl: 'https://openapi.alipay.com/gateway.do',
      userinfoUrl: null,
      issuer: 'https://openauth.alipay.com',
    },
    scopes: ['auth_user'],
    scopeSeparator: ',',
    mapping: { ...NO_CLAIMS, subject: 'open_id|user_id', nickname: 'nick_name', avatar: 'avatar' },
    pkce: false,
    emailTrust: 'never',
    fields: [
      { name: 'alipay_public_key', required: true, pattern: /^[A-Za-z0-9+/=\s-]{100,4000}$/ },
      { name: 'app_cert_sn', ...OPTIONAL_CERTIFICATE },
      { name: 'alipay_root_cert_sn', ...OPTIONAL_CERTIFICATE },
    ],
    authorize: { names: { client_id: 'app_id' }, omit: ['response_type'] },
    codeParameters: ['auth_code'],
  };

  override checkSecret({ clientSecret }: ConfiguredProvider): void {
    signRsaSha256('', clientSecret);
  }

  override async exchange(context: ProviderContext, { code }: CodeExchange): Promise<TokenAnswer> {
    const method = 'alipay.system.oauth.token';
    return tokenAnswer(await this.ask(context, 'token', { method, grant_type: 'authorization_code', code }));
  }

  override async claims(context: ProviderContext, { accessToken, values }: TokenAnswer): Promise<Claims> {
    const method = 'alipay.user.info.share';
    const user = await this.ask(context, 'user info', { method, auth_token: accessToken });
    const { user_id, open_id } = values;
    return { user_id, open_id, ...user };
  }

  private async ask(
    { provider, endpoints, calls }: ProviderContext,
    step: string,
    own: Readonly<Record<string, string>> & { readonly method: string },
  ): Promise<Claims> {
    const { app_cert_sn = '', alipay_root_cert_sn = '', alipay_public_key = '' } = provider.params;
    const fields = {
      app_id: provider.clientId,
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: timestampOf(new Date()),
      version: '1.0',
      ...(app_cert_sn !== '' && { app_cert_sn }),
      ...(alipay_root_cert_sn !== '' && { alipay_root_cert_sn }),
      ...own,
    };
    const sign = keyed(step, () => signRsaSha256(signedText(fields), provider.clientSecret));
    const body = new URLSearchParams({ ...fields, sign }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' };
    const text = await calls.text(step, { url: endpoints.tokenUrl, method: 'POST', headers, body });
    return this.open(text, step, { method: own.method, publicKey: alipay_public_key });
  }

  /** Unwraps a response after verifying Alipay's signature over its exact text. */
  private open(text: string, step: string, { method, publicKey }: { method: string; publicKey: string }): Claims {
    const whole = parseClaims(text, step);
    const failure = claimsIn(whole, 'error_response');
    if (Object.keys(failure).length > 0) {
      throw new ProviderFailure(step, { code: failure['sub_code'] ?? failure['code'] });
    }
    const name = `${method.replaceAll('.', '_')}_response`;
    const { sign } = whole;
    const signed = memberText(text, name);
    if (typeof sign !== 'string' || signed === undefined) throw new ProviderFailure(`${step}: not signed`);
    if (!keyed(step, () => verifyRsaSha256(signed, sign, publicKey))) throw new ProviderFailure(`${step}: signature`);
    const answer = parseClaims(signed, step);
    const { code } = answer;
    if (code !== undefined && code !== '10000') throw new ProviderFailure(step, { code: answer['sub_code'] ?? code });
    return answer;
  }
}

function keyed<T>(step: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof KeyFormatError) throw new ProviderFailure(`${step}: a configured key cannot be read`);
    throw error;
  }
}
