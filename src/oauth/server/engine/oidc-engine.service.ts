import { Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import type { JWKS } from 'oidc-provider';
import { registrationEnabled } from '../../../auth';
import { SigningKeysService } from '../../../session';
import { KeyAlgorithm } from '../../../platform/crypto';
import { IssuerService } from '../../../platform/http';
import { SettingsReader } from '../../../platform/settings';
import { dpopEnabled, parEnabled } from '../core/authorization-server.settings';
import { EngineAdjustmentsService } from './engine-adjustments.service';
import { EngineConfigurationFactory } from './engine-configuration.factory';
import { loadLibrary } from '../core/library';
import { ProtocolMiddleware } from './protocol.middleware';

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
    private readonly adjustments: EngineAdjustmentsService,
    private readonly middleware: ProtocolMiddleware,
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
      await this.settings.get(registrationEnabled),
    ]);
  }

  private async build(fingerprint: string): Promise<Built> {
    const kids = await this.keys.signingOrder('oauth');
    const jwks = { keys: await Promise.all(kids.map((kid) => this.keys.privateJwk(kid))) } as JWKS;
    const par = await this.settings.get(parEnabled);
    const dpop = await this.settings.get(dpopEnabled);
    const registration = await this.settings.get(registrationEnabled);
    const Library = loadLibrary();
    const { issuer } = this;
    const provider = new Library(issuer, this.configuration.create({ issuer, jwks, par, dpop, registration }));
    this.adjustments.apply(Library, provider, { registration });
    this.middleware.install(provider, issuer, { registration });
    return { fingerprint, provider, handle: provider.callback() };
  }
}
