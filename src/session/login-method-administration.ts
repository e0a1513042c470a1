import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { compareCodeUnits } from '../platform/text';
import { LoginMethod } from './login-method';
import { LoginMethodRepository } from './login-method.repository';
import { LoginMethods } from './login-methods';
import { sessionErrors } from './session.errors';

export interface LoginMethodNow {
  readonly type: string;
  /** The switch; a method is offered where it is also configured. */
  readonly enabled: boolean;
  readonly configured: boolean;
}

/** Turns ways to log in on and off; one that works always stays. */
@Injectable()
export class LoginMethodAdministration {
  constructor(
    private readonly methods: LoginMethods,
    private readonly repository: LoginMethodRepository,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
  ) {}

  /** By type. */
  async list(): Promise<LoginMethodNow[]> {
    const configured = await this.methods.configuredTypes();
    const disabled = await this.methods.loadDisabled();
    return this.sorted().map(({ type }) => ({
      type,
      enabled: !disabled.has(type),
      configured: configured.has(type),
    }));
  }

  /** Errors: `not_found`, `last_login_method`. */
  async setEnabled(type: string, enabled: boolean): Promise<LoginMethodNow> {
    if (!this.methods.find(type)) throw platformErrors.notFound();
    return this.transactions.run(async () => {
      await this.methods.stand();
      const configured = await this.methods.configuredTypes();
      await this.change(type, enabled, configured);
      return { type, enabled, configured: configured.has(type) };
    });
  }

  private async change(type: string, enabled: boolean, configured: ReadonlySet<string>): Promise<void> {
    const disabled = await this.methods.loadDisabled();
    if (disabled.has(type) !== enabled) return;
    if (!enabled) this.refuseIfLast(type, configured, disabled);
    await this.repository.put(type, enabled);
    await this.audit.record({
      action: 'login_method.update',
      target: { type: 'login_method', id: type },
      before: { enabled: !enabled },
      after: { enabled },
    });
    await this.methods.changed();
  }

  private refuseIfLast(type: string, configured: ReadonlySet<string>, disabled: ReadonlySet<string>): void {
    const [working, ...others] = [...configured].filter((known) => !disabled.has(known));
    if (working === type && others.length === 0) throw sessionErrors.lastLoginMethod();
  }

  private sorted(): LoginMethod[] {
    return [...this.methods.all()].sort((one, other) => compareCodeUnits(one.type, other.type));
  }
}
