import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import type { JWKS } from 'oidc-provider';
import { SigningKeysService } from '../../../session';
import { constantTimeEqual, KeyAlgorithm, sha256 } from '../../../platform/crypto';
import { DatabaseClock } from '../../../platform/database';
import { IssuerService } from '../../../platform/http';
import { Log } from '../../../platform/logging';
import { SettingsReader } from '../../../platform/settings';
import { ClientCache } from '../clients/client.cache';
import { OAuthClient } from '../clients/client.entity';
import { dpopEnabled, parEnabled } from '../authorization-server.settings';
import { DerivedRefreshTokensService } from '../storage/derived-refresh-tokens.service';
import { EngineConfigurationFactory } from './engine-configuration.factory';
import { keepDatabaseTime } from './database-time';
import { bindDecisions } from './decisions';
import { addIdTokenClaims } from './id-token-claims';
import { loadLibrary } from './library';
import { attachSession } from './attach-session';
import { ClientTokenIssueService } from './client-token-issue.service';
import { ProtocolMiddleware } from './protocol.middleware';
import { patchErrors } from './patch-errors';

interface Built {
  readonly fingerprint: string;
  readonly provider: Provider;
  readonly handle: ReturnType<Provider['callback']>;
}

const ALGORITHMS: readonly KeyAlgorithm[] = ['RS256', 'ES256'];

/** Holds the library's provider, and rebuilds it when its keys or settings change. */
@Injectable()
export class OidcEngineService {
  private built: Built | undefined;
  private building: Promise<Built> | undefined;

  constructor(
    private readonly self: IssuerService,
    private readonly keys: SigningKeysService,
    private readonly settings: SettingsReader,
    private readonly configuration: EngineConfigurationFactory,
    private readonly derivedTokens: DerivedRefreshTokensService,
    private readonly middleware: ProtocolMiddleware,
    private readonly clientTokens: ClientTokenIssueService,
    private readonly clients: ClientCache,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
  ) {}

  get issuer(): string {
    return this.self.url;
  }

  async current(): Promise<Provider> {
    const fingerprint = await this.fingerprint();
    if (this.built?.fingerprint === fingerprint) return this.built.provider;
    this.building ??= this.build(fingerprint).finally(() => {
      this.building = undefined;
    });
    this.built = await this.building;
    return this.built.provider;
  }

  /** The request handler of the current provider. */
  async handler(): Promise<Built['handle']> {
    await this.current();
    if (!this.built) throw new Error('The provider was not built');
    return this.built.handle;
  }

  async isPushingEnabled(): Promise<boolean> {
    return this.settings.get(parEnabled);
  }

  /** Creates missing keys on first use. */
  private async fingerprint(): Promise<string> {
    if (this.built === undefined) for (const algorithm of ALGORITHMS) await this.keys.ensure('oauth', algorithm);
    const kids = await this.keys.signingOrder('oauth');
    return JSON.stringify([
      this.issuer,
      kids,
      this.configuration.cookieKeyIds,
      await this.settings.get(parEnabled),
      await this.settings.get(dpopEnabled),
    ]);
  }

  private async build(fingerprint: string): Promise<Built> {
    const kids = await this.keys.signingOrder('oauth');
    const jwks = { keys: await Promise.all(kids.map((kid) => this.keys.privateJwk(kid))) } as JWKS;
    const [par, dpop] = await Promise.all([this.settings.get(parEnabled), this.settings.get(dpopEnabled)]);
    const Library = loadLibrary();
    const { issuer } = this;
    const provider = new Library(issuer, this.configuration.of({ issuer, jwks, par, dpop }));
    this.adjust(Library, provider);
    this.middleware.install(provider, issuer);
    return { fingerprint, provider, handle: provider.callback() };
  }

  /** Changes behaviour that the library has no setting for. */
  private adjust(Library: typeof Provider, provider: Provider): void {
    const { Client, OIDCContext, RefreshToken } = provider;
    const { generateTokenId: made } = RefreshToken.prototype as unknown as { generateTokenId: () => string };
    const { derivedTokens } = this;
    Object.assign(RefreshToken.prototype, {
      generateTokenId(this: object): string {
        const rotated = Library.ctx?.oidc.entities.RotatedRefreshToken;
        return rotated ? derivedTokens.of(rotated.jti) : made.call(this);
      },
    });
    const compare = (clientId: string, secret: string): Promise<boolean> => this.isSecret(clientId, secret);
    Object.assign(Client.prototype, {
      compareClientSecret(this: { clientId: string }, secret: string): Promise<boolean> {
        return compare(this.clientId, secret);
      },
    });
    // URLs always use the issuer, whatever host the request names.
    Object.assign(OIDCContext.prototype, {
      urlFor: (name: string, options?: Record<string, unknown>) => provider.urlFor(name, options),
    });
    keepDatabaseTime(provider, this.clock);
    attachSession(provider);
    bindDecisions(provider);
    patchErrors(provider);
    addIdTokenClaims(provider);
    this.clientTokens.install(provider);
    const koa: EventEmitter = provider;
    koa.on('error', (error: Error) => {
      this.log.warn('OAuth request failed', { err: error });
    });
  }

  /** Also accepts the previous secret during its overlap. */
  private async isSecret(clientId: string, secret: string): Promise<boolean> {
    const client = await this.clients.get(clientId);
    const digest = sha256(secret);
    return (
      client !== undefined && secretHashes(client, this.clock.now()).some((hash) => constantTimeEqual(hash, digest))
    );
  }
}

function secretHashes({ secretHash, previousSecretHash, previousSecretUntil }: OAuthClient, now: number): string[] {
  const isPreviousValid = previousSecretUntil !== null && previousSecretUntil.getTime() > now;
  return [secretHash, isPreviousValid ? previousSecretHash : null].filter((hash) => hash !== null);
}
