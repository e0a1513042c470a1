import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { compareCodeUnits } from '../../platform/util';
import { LoginMethod } from './login-method';
import { LoginMethodRepository } from './login-method.repository';
import { LoginMethodRegistry } from './login-method.registry';
import { loginErrors } from './login.errors';
import { loginActs } from './login.acts';

export interface LoginMethodStatus {
  readonly type: string;
  /** The switch. A method is offered when it is also configured. */
  readonly enabled: boolean;
  readonly configured: boolean;
}

/** Enables and disables login methods. Always keeps a working one. */
@Injectable()
export class LoginMethodsService {
  constructor(
    private readonly methods: LoginMethodRegistry,
    private readonly repository: LoginMethodRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** Sorted by type. */
  async list(): Promise<LoginMethodStatus[]> {
    const configured = await this.methods.configuredTypes();
    const disabled = await this.methods.loadDisabled();
    return this.sorted().map(({ type }) => ({
      type,
      enabled: !disabled.has(type),
      configured: configured.has(type),
    }));
  }

  /** Throws `not_found` or `last_login_method`. */
  async setEnabled(type: string, enabled: boolean): Promise<LoginMethodStatus> {
    if (!this.methods.find(type)) throw platformErrors.notFound();
    return this.transactions.run(async () => {
      await this.methods.lock();
      const configured = await this.methods.configuredTypes();
      await this.change(type, enabled, configured);
      return { type, enabled, configured: configured.has(type) };
    });
  }

  private async change(type: string, enabled: boolean, configured: ReadonlySet<string>): Promise<void> {
    const disabled = await this.methods.loadDisabled();
    if (disabled.has(type) !== enabled) return;
    if (!enabled) this.assertNotLast(type, configured, disabled);
    await this.repository.put(type, enabled);
    await this.audit.record(loginActs.updateMethod, {
      target: { type: 'login_method', id: type },
      before: { enabled: !enabled },
      after: { enabled },
    });
    await this.methods.invalidate();
  }

  private assertNotLast(type: string, configured: ReadonlySet<string>, disabled: ReadonlySet<string>): void {
    const [working, ...others] = [...configured].filter((known) => !disabled.has(known));
    if (working === type && others.length === 0) throw loginErrors.lastLoginMethod();
  }

  private sorted(): LoginMethod[] {
    return [...this.methods.all()].sort((one, other) => compareCodeUnits(one.type, other.type));
  }
}
