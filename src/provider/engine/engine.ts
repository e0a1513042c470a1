import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import type { JWKS } from 'oidc-provider';
import { KeyAlgorithm, sha256, constantTimeEqual, SigningKeys } from '../../platform/crypto';
import { DatabaseClock } from '../../platform/database';
import { Issuer } from '../../platform/http';
import { Log } from '../../platform/logging';
import { SettingsReader } from '../../platform/settings';
import { ClientState } from '../clients/client-state';
import { OAuthClient } from '../clients/client.entity';
import { dpopEnabled, parEnabled } from '../provider.settings';
import { Successors } from '../storage/successors';
import { EngineConfiguration } from './configuration';
import { keepDatabaseTime } from './database-time';
import { loadLibrary } from './library';
import { bindLoginState } from './login-binding';
import { ProtocolMiddleware } from './protocol-middleware';
import { sharpenRefusals } from './refusals';

interface Built {
  readonly fingerprint: string;
  readonly provider: Provider;
  readonly handle: ReturnType<Provider['callback']>;
}

const ALGORITHMS: readonly KeyAlgorithm[] = ['RS256', 'ES256'];

/** Holds the library's provider, and builds the next one when keys or settings it was built with have changed. */
@Injectable()
export class Engine {
  private built: Built | undefined;
  private building: Promise<Built> | undefined;

  constructor(
    private readonly self: Issuer,
    private readonly keys: SigningKeys,
    private readonly settings: SettingsReader,
    private readonly configuration: EngineConfiguration,
    private readonly successors: Successors,
    private readonly middleware: ProtocolMiddleware,
    private readonly clients: ClientState,
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

  /** What answers a request. */
  async handler(): Promise<Built['handle']> {
    await this.current();
    if (!this.built) throw new Error('The provider was not built');
    return this.built.handle;
  }

  isPushingEnabled(): Promise<boolean> {
    return this.settings.get(parEnabled);
  }

  /** The keys are made when they are first asked for. */
  private async fingerprint(): Promise<string> {
    if (this.built === undefined) for (const algorithm of ALGORITHMS) await this.keys.ensure('oauth', algorithm);
    const kids = await this.keys.signingOrder('oauth');
    return JSON.stringify([
      this.issuer,
      kids,
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

  /** What the library has no setting for. */
  private adjust(Library: typeof Provider, provider: Provider): void {
    const { Client, OIDCContext, RefreshToken } = provider;
    const { generateTokenId: made } = RefreshToken.prototype as unknown as { generateTokenId: () => string };
    const { successors } = this;
    Object.assign(RefreshToken.prototype, {
      generateTokenId(this: object): string {
        const rotated = Library.ctx?.oidc.entities.RotatedRefreshToken;
        return rotated ? successors.of(rotated.jti) : made.call(this);
      },
    });
    const compare = (clientId: string, secret: string): Promise<boolean> => this.isSecret(clientId, secret);
    Object.assign(Client.prototype, {
      compareClientSecret(this: { clientId: string }, secret: string): Promise<boolean> {
        return compare(this.clientId, secret);
      },
    });
    // Addresses of the issuer, whatever host a request names.
    Object.assign(OIDCContext.prototype, {
      urlFor: (name: string, options?: Record<string, unknown>) => provider.urlFor(name, options),
    });
    keepDatabaseTime(provider, this.clock);
    bindLoginState(provider);
    sharpenRefusals(provider);
    const koa: EventEmitter = provider;
    koa.on('error', (error: Error) => {
      this.log.warn('An OAuth request failed', { err: error });
    });
  }

  /** Also the former one, until its overlap is over. */
  private async isSecret(clientId: string, secret: string): Promise<boolean> {
    const client = await this.clients.find(clientId);
    const digest = sha256(secret);
    return (
      client !== undefined && secretHashes(client, this.clock.now()).some((hash) => constantTimeEqual(hash, digest))
    );
  }
}

function secretHashes({ secretHash, formerSecretHash, formerSecretUntil }: OAuthClient, now: number): string[] {
  const isFormerGood = formerSecretUntil !== null && formerSecretUntil.getTime() > now;
  return [secretHash, isFormerGood ? formerSecretHash : null].filter((hash) => hash !== null);
}
