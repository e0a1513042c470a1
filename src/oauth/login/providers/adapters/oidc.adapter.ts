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
import { Claims, ProviderCalls, textOf } from '../provider-calls';
import { ProviderFailure } from '../provider-failure';
import { AuthorizeRequest, CallbackRequest } from '../identity-provider';
import { SharedAnswers } from './shared-answers';
import { CLIENT_AUTH, exchangeByHeader } from './token-request';

/** What the discovery document says (OpenID Connect Discovery §3). */
export interface OidcEndpoints extends LoginEndpoints {
  readonly issuer: string;
  readonly jwksUri: string;
  readonly basicOnly: boolean;
  /** RFC 9207 §3: the callback always names the issuer. */
  readonly namesIssuer: boolean;
}

const DISCOVERY_MS = 3_600_000;
const WELL_KNOWN = '/.well-known/openid-configuration';

/** OpenID Connect: addresses by discovery, the person by a verified id_token. */
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
  /** By the object: a changed provider is another. */
  private readonly verifiers = new WeakMap<ConfiguredProvider, Map<string, IdTokenVerifier>>();

  /** @param now a clock in milliseconds that never goes back. */
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

  /** A response from another issuer is a mix-up attack (RFC 9207 §2.4). */
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
    const { userinfoUrl } = context.endpoints;
    if (userinfoUrl === null) return claims;
    const more = await context.calls.get('user info', userinfoUrl, { authorization: `Bearer ${token.accessToken}` });
    // OpenID Connect Core §5.3.2: another subject there is another person.
    if (more['sub'] !== claims['sub']) throw new ProviderFailure('user info: another sub');
    return mergeClaims(claims, more);
  }

  override issuer(_context: ProviderContext, claims: Claims): string {
    return textOf(claims, 'iss', 'id_token');
  }

  /** Whether the issuer that a token or a callback names is the one of the discovery document. */
  protected isIssuer(named: string, issuer: string): boolean {
    return named === issuer;
  }

  /** What a token's `iss` must be. */
  protected issuerRule(issuer: string): IdTokenRules['issuer'] {
    return issuer;
  }

  private async discover(provider: ConfiguredProvider, calls: ProviderCalls): Promise<OidcEndpoints> {
    const step = 'discovery';
    if (provider.issuer === null) throw new ProviderFailure(`${step}: no issuer`);
    const document = await calls.get(step, provider.issuer.replace(/\/$/, '') + WELL_KNOWN);
    const issuer = textOf(document, 'issuer', step);
    if (!this.isIssuer(issuer, provider.issuer)) throw new ProviderFailure(`${step}: another issuer`);
    const userinfo = document['userinfo_endpoint'];
    const methods = document['token_endpoint_auth_methods_supported'];
    return {
      issuer,
      authorizeUrl: provider.authorizeUrl ?? webAddress(textOf(document, 'authorization_endpoint', step), step),
      tokenUrl: provider.tokenUrl ?? textOf(document, 'token_endpoint', step),
      userinfoUrl: provider.userinfoUrl ?? (typeof userinfo === 'string' ? userinfo : null),
      jwksUri: webAddress(textOf(document, 'jwks_uri', step), step),
      // Where nothing is said, the standard means basic; so few mean it that the form is tried where it is offered.
      basicOnly: !(Array.isArray(methods) && methods.includes('client_secret_post')),
      namesIssuer: document['authorization_response_iss_parameter_supported'] === true,
    };
  }

  private async verify({ provider, endpoints, calls }: ProviderContext, token: string, nonce: string): Promise<Claims> {
    const { issuer, jwksUri } = endpoints as OidcEndpoints;
    const rules = { issuer: this.issuerRule(issuer), audience: provider.clientId, nonce };
    try {
      return await this.verifier(provider, jwksUri, calls).verify(token, rules);
    } catch (error) {
      if (!(error instanceof IdTokenError)) throw error;
      throw new ProviderFailure('id_token', { code: error.reason });
    }
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

/** The browser is sent there: no `javascript:` and the like. */
function webAddress(address: string, step: string): string {
  const isWeb = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  if (!isWeb) throw new ProviderFailure(`${step}: no web address`);
  return address;
}

/** An e-mail and the word that it is verified belong together: never one from here and one from there. */
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
