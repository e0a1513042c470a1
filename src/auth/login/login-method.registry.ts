import { CacheFactory, Snapshot } from '../../platform/cache';
import { SettingsReader } from '../../platform/settings';
import { LoginMethod } from './login-method';
import { MAX_LOGIN_TYPE } from './login-method.entity';
import { LoginMethodRepository } from './login-method.repository';

/** The login methods of the service and the host, and which of them are enabled. */
export class LoginMethodRegistry {
  private readonly methods = new Map<string, LoginMethod>();
  private readonly disabled: Snapshot<ReadonlySet<string>>;

  /** Throws for two methods of one type, and for a type that is too long to store. */
  constructor(
    methods: readonly LoginMethod[],
    caches: CacheFactory,
    private readonly repository: LoginMethodRepository,
    private readonly settings: SettingsReader,
  ) {
    this.disabled = caches.createSnapshot('login_method', () => this.loadDisabled());
    for (const method of methods) this.add(method);
  }

  find(type: string): LoginMethod | undefined {
    return this.methods.get(type);
  }

  all(): readonly LoginMethod[] {
    return [...this.methods.values()];
  }

  async isEnabled(type: string): Promise<boolean> {
    const disabled = await this.disabled.get();
    return !disabled.has(type);
  }

  /** Types that the current configuration supports, enabled or not. */
  async configuredTypes(): Promise<ReadonlySet<string>> {
    const configured = new Set<string>();
    // Sequential, because a transaction has one connection.
    for (const method of this.methods.values()) {
      if (await method.isConfigured()) configured.add(method.type);
    }
    return configured;
  }

  /**
   * Locks the login methods until the transaction ends, so that no other transaction disables one by its switch or by a
   * setting. Call before the settings are locked.
   */
  async lock(): Promise<void> {
    await this.repository.lock();
    this.settings.reload();
  }

  /** Reads the database, not the cache. */
  async loadDisabled(): Promise<ReadonlySet<string>> {
    const rows = await this.repository.findDisabled();
    return new Set(rows.map((row) => row.type));
  }

  /** Call in the transaction that enables or disables a method. */
  invalidate(): Promise<void> {
    return this.disabled.invalidate();
  }

  private add(method: LoginMethod): void {
    if (method.type.length > MAX_LOGIN_TYPE) {
      throw new Error(`The login method type ${method.type} has more than ${MAX_LOGIN_TYPE} characters`);
    }
    if (this.methods.has(method.type)) throw new Error(`Duplicate login method ${method.type}`);
    this.methods.set(method.type, method);
  }
}
