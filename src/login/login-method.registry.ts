import { Injectable } from '@nestjs/common';
import { CacheFactory, Snapshot } from '../platform/cache';
import { SettingsReader } from '../platform/settings';
import { LoginMethod } from './login-method';
import { MAX_LOGIN_TYPE } from './login-method.entity';
import { LoginMethodRepository } from './login-method.repository';

/** The login methods of the service and the host, and which of them are enabled. */
@Injectable()
export class LoginMethodRegistry {
  private readonly methods = new Map<string, LoginMethod>();
  private readonly disabled: Snapshot<ReadonlySet<string>>;

  constructor(
    caches: CacheFactory,
    private readonly repository: LoginMethodRepository,
    private readonly settings: SettingsReader,
  ) {
    this.disabled = caches.createSnapshot('login_method', () => this.loadDisabled());
  }

  /** Throws for a second method of one type, and for a type that is too long to store. */
  add(method: LoginMethod): void {
    if (method.type.length > MAX_LOGIN_TYPE) {
      throw new Error(`A login method's type has ${MAX_LOGIN_TYPE} characters at most, not as many as ${method.type}`);
    }
    if (this.methods.has(method.type)) throw new Error(`There are two login methods of type ${method.type}`);
    this.methods.set(method.type, method);
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

  /** Types that the present configuration supports, enabled or not. */
  async configuredTypes(): Promise<ReadonlySet<string>> {
    const configured = new Set<string>();
    // One after the other: a transaction has one connection for all of them.
    for (const method of this.methods.values()) {
      if (await method.isConfigured()) configured.add(method.type);
    }
    return configured;
  }

  /**
   * Locks the login methods until the transaction ends: no other transaction disables one, by its switch or by a setting.
   * To be called before the settings are locked.
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

  /** To be called in the transaction that enables or disables one. */
  invalidate(): Promise<void> {
    return this.disabled.invalidate();
  }
}
