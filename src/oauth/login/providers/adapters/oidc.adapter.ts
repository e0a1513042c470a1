import { IdTokenError, IdTokenRules, IdTokenVerifier } from '../../../../platform/crypto';
import { ConfiguredProvider } from '../configured-provider';
import {
  CodeExchange,
  LoginEndpoints,
  OAuthProviderAdapter,
  ProviderContext,
  TokenAnswer,
} from '../oauth-provider-adapter';
import { OPENID_CLAIMS, ProviderPreset } from '../preset';
import { Claims, parseClaims, ProviderCalls, textOf } from '../provider-calls';
import { ProviderFailure } from '../provider-failure';
import { AuthorizeRequest, CallbackRequest } from '../identity-provider';
import { SharedAnswers } from './shared-answers';
import { CLIENT_AUTH, exchangeByHeader } from './token-request';

/** The endpoints of the discovery document (OpenID Connect Discovery §3). */
export interface OidcEndpoints extends LoginEndpoints {
  readonly issuer: string;
  readonly jwksUri: string;
  readonly basicOnly: boolean;
  /** RFC 9207 §3: whether every callback names the issuer. */
  readonly namesIssuer: boolean;
}

/** Responses of providers without the endpoint, or that do not open it to this client. */
const NOT_OFFERED: readonly (number | undefined)[] = [401, 403, 404, 405, 410, 501];
const DISCOVERY_MS = 3_600_000;
const WELL_KNOWN = '/.well-known/openid-configuration';

/** OpenID Connect: endpoints from discovery, the user from a verified id_token. */
export class OidcAdapter extends OAuthProviderAdapter {
  readonly template: string = 'oidc';

  readonly preset: ProviderPreset = {
    label: 'OpenID Connect',
    endpoints: { authorizeUrl: null, tokenUrl: null, userinfoUrl: null, issuer: null },
    scopes: ['openid', 'profile', 'email'],
    mapping: OPENID_CLAIMS,
    pkce: true,
    emailTrust: 'boolean',
    fields: [CLIENT_AUTH],
  };

  override readonly requiredAddresses = ['issuer'] as const;

  private readonly discovered: SharedAnswers<OidcEndpoints>;
  /** Keyed by object, because a changed provider is a new object. */
  private readonly verifiers = new WeakMap<ConfiguredProvider, Map<string, IdTokenVerifier>>();

  /** @param now a monotonic clock in milliseconds. */
  constructor(now?: () => number) {
    super();
    this.discovered = new SharedAnswers(now);
  }

  override endpoints(provider: ConfiguredProvider, calls: ProviderCalls): Promise<OidcEndpoints> {
    return this.discovered.get(provider, async () => {
      const value = await this.discover(provider, calls);
      return { value, milliseconds: DISCOVERY_MS };
    });
  }

  override authorizeParameters(
    _provider: ConfiguredProvider,
    { nonce }: AuthorizeRequest,
  ): Readonly<Record<string, string>> {
    return { nonce };
  }

  /** A callback from another issuer is a mix-up attack (RFC 9207 §2.4). */
  override checkCallback({ endpoints }: ProviderContext, { params }: CallbackRequest): void {
    const { issuer, namesIssuer } = endpoints as OidcEndpoints;
    const named = params['iss'];
    if (named === undefined ? namesIssuer : !this.isIssuer(named, issuer)) throw new ProviderFailure('callback: iss');
  }

  override async checkKeys({ endpoints, calls }: ProviderContext): Promise<void> {
    const { keys } = await calls.get('keys', (endpoints as OidcEndpoints).jwksUri);
    if (!Array.isArray(keys) || keys.length === 0) throw new ProviderFailure('keys: none');
  }

  override exchange(
    context: ProviderContext,
    exchange: CodeExchange,
    standard: () => Promise<TokenAnswer>,
  ): Promise<TokenAnswer> {
    const { clientSecret, params } = context.provider;
    const chosen = params[CLIENT_AUTH.name];
    const isBasic = chosen ? chosen === 'client_secret_basic' : (context.endpoints as OidcEndpoints).basicOnly;
    return clientSecret === '' || isBasic ? exchangeByHeader(context, exchange) : standard();
  }

  override async claims(context: ProviderContext, token: TokenAnswer, { nonce }: CallbackRequest): Promise<Claims> {
    const idToken = textOf(token.values, 'id_token', 'token');
    const claims = await this.verify(context, idToken, nonce);
    const more = await this.userinfo(context, token);
    if (!more) return claims;
    // OpenID Connect Core §5.3.2: a different `sub` belongs to another user.
    if (!isSubject(more['sub'], claims['sub'])) throw new ProviderFailure('user info: different sub');
    return mergeClaims(claims, more);
  }

  /** The claims of the userinfo endpoint, which providers need not have (OpenID Connect Core §5.3). */
  private async userinfo(context: ProviderContext, { accessToken }: TokenAnswer): Promise<Claims | undefined> {
    const { userinfoUrl } = context.endpoints;
    if (userinfoUrl === null) return undefined;
    const headers = { accept: 'application/jwt;q=0.5, application/json', authorization: `Bearer ${accessToken}` };
    try {
      const { mediaType, text } = await context.calls.succeed('user info', {
        url: userinfoUrl,
        method: 'GET',
        headers,
      });
      if (text.trim() === '') return undefined;
      return mediaType === 'application/jwt'
        ? await this.verifyUserinfo(context, text)
        : parseClaims(text, 'user info');
    } catch (error) {
      if (error instanceof ProviderFailure && NOT_OFFERED.includes(error.status)) return undefined;
      throw error;
    }
  }

  override issuer(_context: ProviderContext, claims: Claims): string {
    return textOf(claims, 'iss', 'id_token');
  }

  /** Whether the issuer in a token or callback is that of the discovery document. */
  protected isIssuer(named: string, issuer: string): boolean {
    return named === issuer;
  }

  /** The required `iss` of a token. */
  protected issuerRule(issuer: string): IdTokenRules['issuer'] {
    return issuer;
  }

  private async discover(provider: ConfiguredProvider, calls: ProviderCalls): Promise<OidcEndpoints> {
    const step = 'discovery';
    if (provider.issuer === null) throw new ProviderFailure(`${step}: no issuer`);
    const document = await calls.get(step, provider.issuer.replace(/\/$/, '') + WELL_KNOWN);
    const issuer = textOf(document, 'issuer', step);
    if (!this.isIssuer(issuer, provider.issuer)) throw new ProviderFailure(`${step}: different issuer`);
    const userinfo = document['userinfo_endpoint'];
    const methods = document['token_endpoint_auth_methods_supported'];
    return {
      issuer,
      authorizeUrl: provider.authorizeUrl ?? webAddress(textOf(document, 'authorization_endpoint', step), step),
      tokenUrl: provider.tokenUrl ?? textOf(document, 'token_endpoint', step),
      userinfoUrl: provider.userinfoUrl ?? (provider.withoutUserinfo ? null : textOrNull(userinfo)),
      jwksUri: webAddress(textOf(document, 'jwks_uri', step), step),
      // Without the member, the standard means basic. Many providers accept only the form, so it is used if it is
      // listed.
      basicOnly: !(Array.isArray(methods) && methods.includes('client_secret_post')),
      namesIssuer: document['authorization_response_iss_parameter_supported'] === true,
    };
  }

  private verify({ provider, endpoints, calls }: ProviderContext, token: string, nonce: string): Promise<Claims> {
    const { issuer, jwksUri } = endpoints as OidcEndpoints;
    const rules = { issuer: this.issuerRule(issuer), audience: provider.clientId, nonce };
    return rejectedBy('id_token', this.verifier(provider, jwksUri, calls).verify(token, rules));
  }

  private verifyUserinfo({ provider, endpoints, calls }: ProviderContext, token: string): Promise<Claims> {
    const { issuer, jwksUri } = endpoints as OidcEndpoints;
    const rules = { issuer: this.issuerRule(issuer), audience: provider.clientId };
    return rejectedBy('user info', this.verifier(provider, jwksUri, calls).verifyUserinfo(token, rules));
  }

  private verifier(provider: ConfiguredProvider, jwksUri: string, calls: ProviderCalls): IdTokenVerifier {
    const known = this.verifiers.get(provider) ?? new Map<string, IdTokenVerifier>();
    this.verifiers.set(provider, known);
    const verifier =
      known.get(jwksUri) ?? new IdTokenVerifier(jwksUri, (url) => calls.text('keys', { url, method: 'GET' }));
    known.set(jwksUri, verifier);
    return verifier;
  }
}

/** Some providers send the number of the user here, and its digits in the ID token. */
const isSubject = (named: unknown, subject: unknown): boolean =>
  named === subject || (Number.isSafeInteger(named) && String(named) === subject);

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

async function rejectedBy(step: string, verified: Promise<Claims>): Promise<Claims> {
  try {
    return await verified;
  } catch (error) {
    if (!(error instanceof IdTokenError)) throw error;
    throw new ProviderFailure(step, { code: error.reason });
  }
}

/** Rejects other schemes such as `javascript:`, because the browser is redirected to the URL. */
function webAddress(address: string, step: string): string {
  const isWeb = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  if (!isWeb) throw new ProviderFailure(`${step}: not a web URL`);
  return address;
}

/** Takes the e-mail address and its verification from the same source, never one from each. */
function mergeClaims(token: Claims, more: Claims): Claims {
  const { email, email_verified, ...others } = token;
  const own = 'email' in more ? {} : { email, email_verified };
  const { email_verified: loose, ...rest } = more;
  return {
    ...others,
    ...rest,
    ...own,
    ...('email' in more && { email_verified: loose }),
    sub: token['sub'],
    iss: token['iss'],
  };
}
