import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { CacheFactory, Snapshot } from '../../../platform/cache';
import { SecretBoxError } from '../../../platform/crypto';
import { Log } from '../../../platform/logging';
import { OutboundClient } from '../../../platform/outbound';
import { LoginProvider } from './login-provider.entity';
import { LoginProviderRepository } from './login-provider.repository';
import { PassportIdentityProvider } from './passport-identity-provider';
import { ProviderAdapters } from './provider-adapters';
import { ProviderCalls } from './provider-calls';
import { ProviderSecretsService } from './provider-secrets.service';
import { authorizationServerErrors } from './providers.errors';
import { resolveProvider } from './resolve-provider';
import { ProviderView, IdentityProviderRegistry, UsableProvider } from './identity-provider.registry';

interface Built extends UsableProvider {
  readonly row: LoginProvider;
}

/** The providers in the database. Each version of a row is built once. */
@Injectable()
export class StoredIdentityProviderRegistry extends IdentityProviderRegistry {
  private readonly providers: Snapshot<readonly LoginProvider[]>;
  private readonly built = new Map<string, Built>();
  private readonly calls: ProviderCalls;

  constructor(
    private readonly repository: LoginProviderRepository,
    private readonly adapters: ProviderAdapters,
    private readonly secrets: ProviderSecretsService,
    private readonly log: Log,
    outbound: OutboundClient,
    caches: CacheFactory,
  ) {
    super();
    this.calls = new ProviderCalls(outbound);
    this.providers = caches.createSnapshot<readonly LoginProvider[]>('oauth_provider', () => this.repository.findAll());
  }

  async find(name: string): Promise<UsableProvider | undefined> {
    const row = (await this.rows()).find((provider) => provider.name === name);
    return row && this.ready(row);
  }

  async enabled(): Promise<readonly ProviderView[]> {
    return (await this.rows()).flatMap((row) => this.viewOf(row) ?? []);
  }

  async readEnabled(): Promise<readonly ProviderView[]> {
    const rows = await this.repository.findAll();
    return rows.filter(({ enabled }) => enabled).flatMap((row) => this.viewOf(row) ?? []);
  }

  hold({ id, version }: Pick<ProviderView, 'id' | 'version'>): Promise<boolean> {
    return this.repository.hold(id, version);
  }

  /** Call it in the transaction that changes a provider. */
  invalidate(): Promise<void> {
    return this.providers.invalidate();
  }

  private async rows(): Promise<readonly LoginProvider[]> {
    const rows = await this.providers.get();
    return rows.filter(({ enabled }) => enabled);
  }

  /**
   * Compares the whole row instead of its version, because a restored or manually edited row may have the same version.
   */
  private ready(row: LoginProvider): UsableProvider | undefined {
    const known = this.built.get(row.id);
    if (known && isDeepStrictEqual(known.row, row)) return known;
    const adapter = this.adapters.find(row.template);
    const provider = this.viewOf(row);
    if (!adapter || !provider) return undefined;
    const configured = { ...resolveProvider(row, adapter.preset), clientSecret: this.secretOf(row) };
    const identityProvider = new PassportIdentityProvider(configured, adapter, this.calls, this.log);
    const built = { row, provider, identityProvider };
    this.built.set(row.id, built);
    return built;
  }

  private secretOf(row: LoginProvider): string {
    try {
      return this.secrets.open(row);
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      this.log.error('The secret of a login provider cannot be decrypted', { provider: row.name, why: error.reason });
      throw authorizationServerErrors.providerFailed();
    }
  }

  /** Undefined if the host application no longer provides the template. */
  private viewOf(row: LoginProvider): ProviderView | undefined {
    const adapter = this.adapters.find(row.template);
    if (!adapter) return undefined;
    const { id, version, name, label, icon, template, autoRegister, trustEmail, organizationId } = row;
    const pkce = row.pkce ?? adapter.preset.pkce;
    return { id, version, name, label, icon, template, pkce, autoRegister, trustEmail, organizationId };
  }
}
