import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { SharedState, SharedStates } from '../../platform/cache';
import { SecretBoxError } from '../../platform/crypto';
import { Log } from '../../platform/logging';
import { Outbound } from '../../platform/outbound';
import { LoginProvider } from './login-provider.entity';
import { LoginProviderRepository } from './login-provider.repository';
import { PassportUpstream } from './passport-upstream';
import { ProviderAdapters } from './provider-adapters';
import { ProviderCalls } from './provider-calls';
import { ProviderSecrets } from './provider-secrets';
import { providerErrors } from './providers.errors';
import { resolveProvider } from './resolve-provider';
import { ProviderView, Upstreams, UsableProvider } from './upstreams';

const ALL = 'all';

interface Built extends UsableProvider {
  readonly row: LoginProvider;
}

/** The providers of the database, each made ready once for a version of its row. */
@Injectable()
export class StoredUpstreams extends Upstreams {
  private readonly state: SharedState<readonly LoginProvider[]>;
  private readonly built = new Map<string, Built>();
  private readonly calls: ProviderCalls;

  constructor(
    private readonly repository: LoginProviderRepository,
    private readonly adapters: ProviderAdapters,
    private readonly secrets: ProviderSecrets,
    private readonly log: Log,
    outbound: Outbound,
    states: SharedStates,
  ) {
    super();
    this.calls = new ProviderCalls(outbound);
    this.state = states.create('oauth_provider', { maxEntries: 1 });
  }

  async find(name: string): Promise<UsableProvider | undefined> {
    const row = (await this.rows()).find((provider) => provider.name === name);
    return row && this.ready(row);
  }

  async enabled(): Promise<readonly ProviderView[]> {
    return (await this.rows()).flatMap((row) => this.viewOf(row) ?? []);
  }

  hold({ id, version }: Pick<ProviderView, 'id' | 'version'>): Promise<boolean> {
    return this.repository.hold(id, version);
  }

  /** To be called in the transaction that changes a provider. */
  changed(): Promise<void> {
    return this.state.forget(ALL);
  }

  private async rows(): Promise<readonly LoginProvider[]> {
    const rows = (await this.state.read(ALL, () => this.repository.findAll())) ?? [];
    return rows.filter(({ enabled }) => enabled);
  }

  /** By the whole row and not by its version: a restored or hand-edited one is another, too. */
  private ready(row: LoginProvider): UsableProvider | undefined {
    const known = this.built.get(row.id);
    if (known && isDeepStrictEqual(known.row, row)) return known;
    const adapter = this.adapters.find(row.template);
    const provider = this.viewOf(row);
    if (!adapter || !provider) return undefined;
    const configured = { ...resolveProvider(row, adapter.preset), clientSecret: this.secretOf(row) };
    const upstream = new PassportUpstream(configured, adapter, this.calls, this.log);
    const built = { row, provider, upstream };
    this.built.set(row.id, built);
    return built;
  }

  private secretOf(row: LoginProvider): string {
    try {
      return this.secrets.open(row);
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      this.log.error('The secret of a login provider cannot be opened', { provider: row.name, why: error.reason });
      throw providerErrors.providerFailed();
    }
  }

  /** None where the host that brought the template no longer does. */
  private viewOf(row: LoginProvider): ProviderView | undefined {
    const adapter = this.adapters.find(row.template);
    if (!adapter) return undefined;
    const { id, version, name, label, icon, template, autoRegister, trustEmail } = row;
    const pkce = row.pkce ?? adapter.preset.pkce;
    return { id, version, name, label, icon, template, pkce, autoRegister, trustEmail };
  }
}
