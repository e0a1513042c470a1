import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { newId, PasswordHasher } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { Log } from '../platform/logging';
import { ADMIN_ROLE, RolesService, USER_ROLE } from '../rbac';
import {
  avatarPath,
  checkNewUsername,
  PasswordPolicyService,
  UserEventsService,
  UserRepository,
  usersErrors,
  userTarget,
  userActs,
} from '../users';

/** Creates administrators without an acting administrator: at the first start and from the command line. */
@Injectable()
export class AdministratorsService {
  constructor(
    private readonly roles: RolesService,
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly policy: PasswordPolicyService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly log: Log,
    private readonly events: UserEventsService,
  ) {}

  /** Throws `validation_failed`, `password_too_common` or `username_taken`. */
  async create(username: string, password: string, source: 'first administrator' | 'command line'): Promise<void> {
    const problem = checkNewUsername(username);
    if (problem !== undefined) {
      throw platformErrors.validationFailed({ fields: [{ field: 'username', code: problem }] });
    }
    await this.policy.check(password, username, 'password');
    if (await this.users.isUsernameTaken(username)) throw usersErrors.usernameTaken();
    const passwordHash = await this.hasher.hash(password);
    const userId = newId();
    await this.transactions.run(() => this.insert(userId, username, passwordHash, source));
    this.log.info('Created an administrator', { username, source });
    await this.events.emitCreated({ userId, username, source: 'operator' });
  }

  private async insert(id: string, username: string, passwordHash: string, source: string): Promise<void> {
    await this.users.insert({
      id,
      username,
      passwordHash,
      nickname: '',
      avatar: avatarPath(),
      email: null,
      emailKey: null,
      emailVerified: false,
      phone: null,
      phoneVerified: false,
      locale: null,
      status: 'active',
      mustChangePassword: false,
      termsVersion: null,
      attributes: {},
    });
    for (const role of [ADMIN_ROLE, USER_ROLE]) {
      if (!(await this.roles.join(id, role))) throw new Error(`Start the server once: role ${role} is missing`);
    }
    await this.audit.record(userActs.create, {
      target: userTarget({ id, username }),
      after: { source, roles: [ADMIN_ROLE, USER_ROLE] },
    });
  }
}
