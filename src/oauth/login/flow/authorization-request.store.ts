import { Injectable } from '@nestjs/common';
import { randomToken, SecretBox, sha256 } from '../../../platform/crypto';
import { AuthorizeRequest, ProviderView } from '../providers';
import { FLOW_SECONDS } from './flow-cookies.service';
import { FlowMode, AuthorizationRequest } from './authorization-request.entity';
import { AuthorizationRequestRepository } from './authorization-request.repository';

/** The user who links a third-party account, and the session that requested it. */
export interface LinkingUser {
  readonly userId: string;
  readonly sessionId: string;
}

export interface AuthorizationStart {
  readonly provider: ProviderView;
  /** Hash of the browser's secret. */
  readonly browser: string;
  readonly returnTo: string;
  readonly linkingUser?: LinkingUser;
}

/** A stored request, with its code verifier decrypted. */
export type StoredRequest = Omit<AuthorizationRequest, 'codeVerifier'> & { readonly codeVerifier?: string };

/** Stores authorization requests between the redirect to a provider and its callback. */
@Injectable()
export class AuthorizationRequestStore {
  constructor(
    private readonly repository: AuthorizationRequestRepository,
    private readonly box: SecretBox,
  ) {}

  /**
   * Generates the random values of an authorization request (RFC 6749 §10.12, RFC 7636 §4.1, OpenID Connect Core
   * §15.5.2).
   */
  draw(provider: ProviderView, redirectUri: string): AuthorizeRequest {
    const secrets = { redirectUri, state: randomToken(), nonce: randomToken() };
    return provider.pkce ? { ...secrets, codeVerifier: randomToken() } : secrets;
  }

  async keep(
    request: AuthorizeRequest,
    { provider, browser, returnTo, linkingUser }: AuthorizationStart,
  ): Promise<void> {
    const id = sha256(request.state);
    const { codeVerifier, redirectUri, nonce } = request;
    const row = {
      id,
      providerId: provider.id,
      providerVersion: provider.version,
      browser,
      mode: linkingUser ? ('bind' as const) : ('login' as const),
      userId: linkingUser?.userId ?? null,
      sessionId: linkingUser?.sessionId ?? null,
      redirectUri,
      returnTo,
      nonce,
      codeVerifier: codeVerifier === undefined ? null : this.box.seal(codeVerifier, contextOfVerifier(id)),
    };
    await this.repository.insert(row, FLOW_SECONDS);
  }

  /** Consumes the state, even for a wrong browser. A code verifier that cannot be decrypted counts as missing. */
  async take(state: string): Promise<StoredRequest | undefined> {
    const row = await this.repository.take(sha256(state));
    if (!row) return undefined;
    const { codeVerifier: sealed, ...rest } = row;
    if (sealed === null) return rest;
    const codeVerifier = this.box.openIfPossible(sealed, contextOfVerifier(row.id));
    return codeVerifier === undefined ? undefined : { ...rest, codeVerifier };
  }

  /** The mode of a state, which is not consumed. */
  modeOf(state: string): Promise<FlowMode | undefined> {
    return this.repository.findMode(sha256(state));
  }
}

const contextOfVerifier = (id: string): string => `oauth_state|${id}|code_verifier`;
