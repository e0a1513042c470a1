import { CodeExchange, OAuthProviderAdapter, ProviderContext, TokenAnswer } from '../oauth-provider-adapter';
import { NO_CLAIMS, OPENID_CLAIMS, ProviderPreset } from '../preset';
import { Claims, ProviderCalls } from '../provider-calls';
import { ProviderFailure } from '../provider-failure';
import { CallbackRequest } from '../identity-provider';
import { CLIENT_AUTH, exchangeByHeader } from './token-request';

/** Any server that follows RFC 6749 and has a JSON userinfo endpoint. */
export class OAuth2Adapter extends OAuthProviderAdapter {
  readonly template = 'oauth2';

  readonly preset: ProviderPreset = {
    label: 'OAuth 2.0',
    endpoints: { authorizeUrl: null, tokenUrl: null, userinfoUrl: null, issuer: null },
    scopes: [],
    mapping: { ...OPENID_CLAIMS, subject: 'sub|id' },
    pkce: true,
    emailTrust: 'boolean',
    fields: [{ ...CLIENT_AUTH, fallback: 'client_secret_post' }],
  };

  override readonly requiredAddresses = ['authorizeUrl', 'tokenUrl', 'userinfoUrl'] as const;

  /** A callback from another issuer is a mix-up attack (RFC 9207 §2.4). */
  override checkCallback({ provider: { issuer } }: ProviderContext, { params }: CallbackRequest): void {
    const named = params['iss'];
    if (issuer !== null && named !== undefined && named !== issuer) throw new ProviderFailure('callback: iss');
  }

  override exchange(
    context: ProviderContext,
    exchange: CodeExchange,
    standard: () => Promise<TokenAnswer>,
  ): Promise<TokenAnswer> {
    const { clientSecret, params } = context.provider;
    const isBasic = params[CLIENT_AUTH.name] === 'client_secret_basic';
    return clientSecret === '' || isBasic ? exchangeByHeader(context, exchange) : standard();
  }
}

interface KnownEmail {
  readonly email?: unknown;
  readonly primary?: unknown;
  readonly verified?: unknown;
}

/** The list of e-mail addresses. Empty if the provider denies access, as to GitHub Apps without that permission. */
async function listOf(calls: ProviderCalls, url: string, headers: Readonly<Record<string, string>>): Promise<Claims[]> {
  const { status, text } = await calls.send('e-mails', { url, method: 'GET', headers });
  if (status === 401 || status === 403 || status === 404) return [];
  if (status !== 200) throw new ProviderFailure(`e-mails: status ${status}`);
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) {
      return list.filter((entry): entry is Claims => typeof entry === 'object' && entry !== null);
    }
  } catch {
    // Throws below.
  }
  throw new ProviderFailure('e-mails: not a list');
}

/** https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export class GithubAdapter extends OAuthProviderAdapter {
  readonly template = 'github';

  readonly preset: ProviderPreset = {
    label: 'GitHub',
    endpoints: {
      authorizeUrl: 'https://github.com/login/oauth/authorize',
      tokenUrl: 'https://github.com/login/oauth/access_token',
      userinfoUrl: 'https://api.github.com/user',
      issuer: 'https://github.com',
    },
    scopes: ['read:user', 'user:email'],
    mapping: {
      ...NO_CLAIMS,
      subject: 'id',
      email: 'email',
      email_verified: 'email_verified',
      nickname: 'name|login',
      avatar: 'avatar_url',
    },
    pkce: true,
    emailTrust: 'boolean',
    fields: [],
  };

  /**
   * The public e-mail address is often missing and never marked as verified. The list of addresses has this
   * information.
   */
  override async claims({ endpoints, calls }: ProviderContext, { accessToken }: TokenAnswer): Promise<Claims> {
    const url = endpoints.userinfoUrl ?? '';
    const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/vnd.github+json' };
    const user = await calls.get('user info', url, headers);
    const emails: readonly KnownEmail[] = await listOf(calls, `${url}/emails`, headers);
    const chosen = emails.find(
      ({ email, primary, verified }) => typeof email === 'string' && primary === true && verified === true,
    );
    return { ...user, email: chosen?.email ?? user['email'], email_verified: chosen !== undefined };
  }
}

/** https://docs.gitlab.com/integration/openid_connect_provider. The host is part of the identity. */
export class GitlabAdapter extends OAuthProviderAdapter {
  readonly template = 'gitlab';

  readonly preset: ProviderPreset = {
    label: 'GitLab',
    endpoints: {
      authorizeUrl: '{issuer}/oauth/authorize',
      tokenUrl: '{issuer}/oauth/token',
      userinfoUrl: '{issuer}/oauth/userinfo',
      issuer: 'https://gitlab.com',
    },
    scopes: ['openid', 'profile', 'email'],
    mapping: { ...OPENID_CLAIMS, nickname: 'name|nickname' },
    pkce: true,
    emailTrust: 'boolean',
    fields: [],
  };
}

/** https://gitee.com/api/v5/oauth_doc */
export class GiteeAdapter extends OAuthProviderAdapter {
  readonly template = 'gitee';

  readonly preset: ProviderPreset = {
    label: 'Gitee',
    endpoints: {
      authorizeUrl: 'https://gitee.com/oauth/authorize',
      tokenUrl: 'https://gitee.com/oauth/token',
      userinfoUrl: 'https://gitee.com/api/v5/user',
      issuer: 'https://gitee.com',
    },
    scopes: ['user_info', 'emails'],
    mapping: {
      ...NO_CLAIMS,
      subject: 'id',
      email: 'email',
      email_verified: 'email_verified',
      nickname: 'name|login',
      avatar: 'avatar_url',
    },
    pkce: false,
    emailTrust: 'boolean',
    fields: [],
  };

  override async claims({ endpoints, calls }: ProviderContext, { accessToken }: TokenAnswer): Promise<Claims> {
    const url = endpoints.userinfoUrl ?? '';
    const headers = { authorization: `Bearer ${accessToken}` };
    const user = await calls.get('user info', url, headers);
    const emails = await listOf(calls, new URL('emails', url).href, headers);
    const chosen = emails.find(
      ({ email, state, scope }) =>
        typeof email === 'string' && state === 'confirmed' && Array.isArray(scope) && scope.includes('primary'),
    );
    return { ...user, email: chosen?.['email'] ?? user['email'], email_verified: chosen !== undefined };
  }
}
