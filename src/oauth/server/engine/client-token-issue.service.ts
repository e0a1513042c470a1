import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import { Environment } from '../../../platform/config';
import { DatabaseClock } from '../../../platform/database';
import { IDENTITY_SCOPES } from '../clients/client-scopes.service';
import { ClientOrganizationsService } from '../clients/client-organizations.service';
import { ClientRepository, TokenRules } from '../clients/client.repository';
import { resourceOf } from '../clients/resource-name';
import { errors } from '../core/library';
import { before, nothingLeft } from '../core/patch-errors';

/** The library's model of a client credentials token. */
interface ClientToken {
  readonly clientId: string;
  readonly aud?: string | string[];
  /** Thumbprint of the key that the token is bound to (RFC 9449). */
  readonly jkt?: string;
  readonly scope?: string;
  /** In seconds. */
  readonly expiration: number;
  iat?: number;
  exp?: number;
}

const SECOND = 1_000;
const MAY_NOT_ACT = 'the user who tied the client to its organization may no longer do so';

/** Prevents client credentials tokens that could never be used. */
@Injectable()
export class ClientTokenIssueService {
  private readonly ownAudience: string;

  constructor(
    private readonly clients: ClientRepository,
    private readonly clock: DatabaseClock,
    private readonly ties: ClientOrganizationsService,
    { serviceScope }: Environment,
  ) {
    this.ownAudience = resourceOf(serviceScope);
  }

  install({ ClientCredentials }: Provider): void {
    before<ClientToken>(ClientCredentials.prototype, 'save', (token) => this.makeUsable(token));
  }

  /** Errors: `invalid_scope`, `invalid_target`, `invalid_client`, `unauthorized_client` (RFC 6749 §5.2, RFC 8707 §2). */
  private async makeUsable(token: ClientToken): Promise<void> {
    if (token.aud === this.ownAudience) requireUse(token);
    const rules = await this.requireClient(token.clientId);
    if (!(await this.ties.mayAct(rules))) throw new errors.UnauthorizedClient(MAY_NOT_ACT);
    requireOwnScopes(token, rules.scopes);
    if (token.aud !== undefined) await this.date(token, rules.tokensEndedAt);
  }

  /** Reads the client from the database, because the cache is up to a second old. */
  private async requireClient(clientId: string): Promise<TokenRules> {
    const client = await this.clients.tokenRulesOf(clientId);
    if (!client?.enabled) throw new errors.InvalidClientAuth('the client is gone, disabled or suspended');
    if (client.grantTypes.includes('client_credentials')) return client;
    throw new errors.UnauthorizedClient('requested grant type is not allowed for this client');
  }

  /**
   * Dates the token by the clock that verifies it. Tokens are dated in whole seconds, and a token of the same second as
   * `tokens_ended_at` would count as ended. Such a token is issued in the next second.
   */
  private async date(token: ClientToken, endedAt: Date | null): Promise<void> {
    const from = endedAt === null ? 0 : Math.floor(endedAt.getTime() / SECOND) + 1;
    await setTimeout(Math.min(SECOND, Math.max(0, Math.ceil(from * SECOND - this.clock.now()))));
    token.iat = Math.max(from, Math.floor(this.clock.now() / SECOND));
    token.exp = token.iat + token.expiration;
  }
}

/** The library cannot represent a client without scopes, and treats it as one with `openid`. */
function requireOwnScopes({ scope = '' }: ClientToken, own: readonly string[]): void {
  const foreign = IDENTITY_SCOPES.find((name) => scope.split(' ').includes(name) && !own.includes(name));
  if (foreign !== undefined) throw new errors.InvalidScope('requested scope is not allowed', foreign);
}

/** Rejects tokens that this service's routes do not accept (`ClientTokenService`). */
function requireUse({ scope = '', jkt }: ClientToken): void {
  if (scope === '') throw nothingLeft();
  if (jkt !== undefined) throw new errors.InvalidTarget('the resource does not accept sender-constrained tokens');
}
