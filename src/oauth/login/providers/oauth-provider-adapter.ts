import { ConfiguredProvider } from './configured-provider';
import { ProviderEndpoints, ProviderPreset } from './preset';
import { Claims, ProviderCalls, textOf } from './provider-calls';
import { ProviderFailure } from './provider-failure';
import { AuthorizeRequest, CallbackRequest } from './identity-provider';

/** The endpoints of a login, with those from discovery. */
export interface LoginEndpoints {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly userinfoUrl: string | null;
}

/** The dependencies of every step of a login. */
export interface ProviderContext {
  readonly provider: ConfiguredProvider;
  readonly endpoints: LoginEndpoints;
  readonly calls: ProviderCalls;
}

export interface CodeExchange {
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier?: string;
}

export interface TokenAnswer {
  readonly accessToken: string;
  /** The whole response of the token endpoint. */
  readonly values: Claims;
}

/**
 * A provider template: its preset, and the code for deviations from OAuth 2.0 that data cannot express. One instance
 * serves every provider of the template. Errors of every method: `ProviderFailure`, or a problem.
 */
export abstract class OAuthProviderAdapter {
  /** The unique `template` name in the API. */
  abstract readonly template: string;

  abstract readonly preset: ProviderPreset;

  /** The endpoints that must be configured. */
  readonly requiredAddresses: readonly (keyof ProviderEndpoints)[] = ['authorizeUrl', 'tokenUrl'];

  /** The endpoints for a login. Called before every login, so results of network calls should be cached. */
  async endpoints(provider: ConfiguredProvider, _calls: ProviderCalls): Promise<LoginEndpoints> {
    const { authorizeUrl, tokenUrl, userinfoUrl } = provider;
    if (authorizeUrl === null || tokenUrl === null) throw new ProviderFailure('an endpoint URL is missing');
    return { authorizeUrl, tokenUrl, userinfoUrl };
  }

  /** Parameters of the authorization request in addition to the standard's and the preset's. */
  authorizeParameters(_provider: ConfiguredProvider, _request: AuthorizeRequest): Readonly<Record<string, string>> {
    return {};
  }

  /** Rejects a callback that cannot be from this provider. The state has already been validated. */
  checkCallback(_context: ProviderContext, _request: CallbackRequest): void {
    // OAuth 2.0 has nothing to check.
  }

  /** Rejects a secret that cannot work. Errors: `KeyFormatError`. */
  checkSecret(_provider: ConfiguredProvider): void {
    // Any text can be a secret.
  }

  /** Checks what a login needs besides its endpoints, when an administrator tests the provider. */
  async checkKeys(_context: ProviderContext): Promise<void> {
    // OAuth 2.0 has no keys.
  }

  /** The client secret for the token request. */
  clientSecret({ clientSecret }: ConfiguredProvider): string {
    return clientSecret;
  }

  /** Exchanges the code for tokens. `standard` does so as in RFC 6749 §4.1.3, through passport-oauth2. */
  exchange(
    _context: ProviderContext,
    _exchange: CodeExchange,
    standard: () => Promise<TokenAnswer>,
  ): Promise<TokenAnswer> {
    return standard();
  }

  /** All claims about the user, to which the provider's mapping is applied. */
  async claims({ endpoints, calls }: ProviderContext, token: TokenAnswer, _request: CallbackRequest): Promise<Claims> {
    if (endpoints.userinfoUrl === null) return token.values;
    return calls.get('user info', endpoints.userinfoUrl, { authorization: `Bearer ${token.accessToken}` });
  }

  /** The issuer in the identity's key. */
  issuer({ provider, endpoints }: ProviderContext, _claims: Claims): string {
    return provider.issuer ?? new URL(endpoints.authorizeUrl).origin;
  }
}

/** The token response, with the access token in the named member. */
export function tokenAnswer(values: Claims, name = 'access_token'): TokenAnswer {
  return { accessToken: textOf(values, name, 'token'), values };
}
