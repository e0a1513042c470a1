import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import { DatabaseClock } from '../../../platform/database';
import { Log } from '../../../platform/logging';
import { ClientSecretsService } from '../clients/client-secrets.service';
import { DerivedRefreshTokensService } from '../storage/derived-refresh-tokens.service';
import { attachSession } from './attach-session';
import { ClientTokenIssueService } from './client-token-issue.service';
import { keepDatabaseTime } from './database-time';
import { bindDecisions } from './decisions';
import { addIdTokenClaims } from './id-token-claims';
import { patchErrors } from '../core/patch-errors';
import { ignoreUnknownPrompts, PromptOptions } from './prompts';
import { TokenClaimsService } from './token-claims.service';
import { keepLoginMethod } from './token-login';
import { TokenOrganizationService } from './token-organization.service';

/** Changes behaviour that the library has no setting for. */
@Injectable()
export class EngineAdjustmentsService {
  constructor(
    private readonly derivedTokens: DerivedRefreshTokensService,
    private readonly secrets: ClientSecretsService,
    private readonly clientTokens: ClientTokenIssueService,
    private readonly tokenClaims: TokenClaimsService,
    private readonly tokenOrganizations: TokenOrganizationService,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
  ) {}

  /** Call once for each provider, before its first request. */
  apply(Library: typeof Provider, provider: Provider, prompts: PromptOptions): void {
    this.deriveRotatedTokens(Library, provider);
    this.verifySecrets(provider);
    this.keepIssuerInUrls(provider);
    keepDatabaseTime(provider, this.clock);
    ignoreUnknownPrompts(provider, prompts);
    attachSession(provider);
    bindDecisions(provider);
    patchErrors(provider);
    addIdTokenClaims(provider);
    this.tokenClaims.install(provider);
    this.tokenOrganizations.install(provider);
    keepLoginMethod(provider);
    this.clientTokens.install(provider);
    this.logErrors(provider);
  }

  private deriveRotatedTokens(Library: typeof Provider, { RefreshToken }: Provider): void {
    const { generateTokenId: made } = RefreshToken.prototype as unknown as { generateTokenId: () => string };
    const { derivedTokens } = this;
    Object.assign(RefreshToken.prototype, {
      generateTokenId(this: object): string {
        const rotated = Library.ctx?.oidc.entities.RotatedRefreshToken;
        return rotated ? derivedTokens.derive(rotated.jti) : made.call(this);
      },
    });
  }

  private verifySecrets({ Client }: Provider): void {
    const { secrets } = this;
    Object.assign(Client.prototype, {
      compareClientSecret(this: { clientId: string }, secret: string): Promise<boolean> {
        return secrets.verify(this.clientId, secret);
      },
    });
  }

  /** URLs always use the issuer, whatever host the request names. */
  private keepIssuerInUrls(provider: Provider): void {
    Object.assign(provider.OIDCContext.prototype, {
      urlFor: (name: string, options?: Record<string, unknown>) => provider.urlFor(name, options),
    });
  }

  private logErrors(provider: Provider): void {
    const koa: EventEmitter = provider;
    koa.on('error', (error: Error) => {
      this.log.warn('OAuth request failed', { err: error });
    });
  }
}
