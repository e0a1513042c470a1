import { Injectable } from '@nestjs/common';
import { SharedState, SharedStates } from '../platform/cache';
import { SettingsReader } from '../platform/settings';
import { LoginMethod } from './login-method';
import { MAX_LOGIN_TYPE } from './login-method.entity';
import { LoginMethodRepository } from './login-method.repository';

const DISABLED = 'disabled';

/** The ways to log in that modules and hosts have added, and which of them are offered. */
@Injectable()
export class LoginMethods {
  private readonly methods = new Map<string, LoginMethod>();
  private readonly disabled: SharedState<ReadonlySet<string>>;

  constructor(
    states: SharedStates,
    private readonly repository: LoginMethodRepository,
    private readonly settings: SettingsReader,
  ) {
    this.disabled = states.create('login_method', { maxEntries: 1 });
  }

  /** Refuses a second method of one type, and a type that could not be kept. */
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
    const disabled = await this.disabled.read(DISABLED, () => this.loadDisabled());
    return !disabled?.has(type);
  }

  /** Those that can be used as things are set up, be they turned off or not. */
  async configuredTypes(): Promise<ReadonlySet<string>> {
    const configured = new Set<string>();
    // One after the other: a transaction has one connection for all of them.
    for (const method of this.methods.values()) {
      if (await method.isConfigured()) configured.add(method.type);
    }
    return configured;
  }

  /**
   * Lets nobody else take a way to log in away until the transaction ends, by its switch or by a setting; what is read
   * from here on stays true. To be taken before the settings are locked.
   */
  async stand(): Promise<void> {
    await this.repository.lock();
    this.settings.reload();
  }

  /** As the database has it now. */
  async loadDisabled(): Promise<ReadonlySet<string>> {
    const rows = await this.repository.findDisabled();
    return new Set(rows.map((row) => row.type));
  }

  /** To be called in the transaction that enables or disables one. */
  changed(): Promise<void> {
    return this.disabled.forget(DISABLED);
  }
}
