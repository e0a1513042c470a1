import {
  CodeExchange,
  OAuthProviderAdapter,
  ProviderContext,
  TokenAnswer,
  tokenAnswer,
} from '../oauth-provider-adapter';
import { NO_CLAIMS, ProviderPreset } from '../preset';
import { Claims, claimsIn, textOf } from '../provider-calls';
import { ProviderFailure } from '../provider-failure';

function succeeded(values: Claims, step: string): Claims {
  const { code } = values;
  if (code !== undefined && code !== 0) throw new ProviderFailure(step, { code });
  return values;
}

/**
 * https://open.feishu.cn/document/authentication-management/access-token/get-user-access-token. Also works for Lark.
 */
export class FeishuAdapter extends OAuthProviderAdapter {
  readonly template = 'feishu';

  readonly preset: ProviderPreset = {
    label: '飞书 Feishu',
    endpoints: {
      authorizeUrl: 'https://accounts.{region}/open-apis/authen/v1/authorize',
      tokenUrl: 'https://accounts.{region}/oauth/v3/token',
      userinfoUrl: 'https://open.{region}/open-apis/authen/v1/user_info',
      issuer: 'https://accounts.{region}',
    },
    scopes: [],
    mapping: {
      ...NO_CLAIMS,
      subject: 'union_id|open_id',
      email: 'email|enterprise_email',
      phone: 'mobile',
      nickname: 'name',
      avatar: 'avatar_url',
    },
    pkce: true,
    emailTrust: 'never',
    fields: [{ name: 'region', required: false, pattern: /^(feishu\.cn|larksuite\.com)$/, fallback: 'feishu.cn' }],
  };

  override async exchange(
    { provider, endpoints, calls }: ProviderContext,
    { code, redirectUri, codeVerifier }: CodeExchange,
  ): Promise<TokenAnswer> {
    const fields = {
      grant_type: 'authorization_code',
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      code,
      redirect_uri: redirectUri,
      ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
    };
    const values = succeeded(await calls.postJson('token', endpoints.tokenUrl, fields), 'token');
    return tokenAnswer(values);
  }

  override async claims({ endpoints, calls }: ProviderContext, { accessToken }: TokenAnswer): Promise<Claims> {
    const headers = { authorization: `Bearer ${accessToken}` };
    const answer = succeeded(await calls.get('user info', endpoints.userinfoUrl ?? '', headers), 'user info');
    return claimsIn(answer, 'data');
  }

  /** Ids are unique only within a tenant. */
  override issuer({ provider }: ProviderContext, claims: Claims): string {
    return `${provider.issuer ?? ''}/${textOf(claims, 'tenant_key', 'user info')}`;
  }
}
