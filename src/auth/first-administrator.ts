import { Inject, Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { Environment, EnvironmentError } from '../platform/config';
import { newId, PasswordHasher, randomPassword } from '../platform/crypto';
import { StartupTasks, Transactions } from '../platform/database';
import { ProblemError } from '../platform/errors';
import { Log } from '../platform/logging';
import { ADMIN_ROLE, Roles, USER_ROLE } from '../rbac';
import { avatarPath, PasswordPolicy, UserRepository } from '../users';

/** Told once, when the first administrator is made with a generated password. It must not reach the log. */
export type AnnounceAdministrator = (credentials: { username: string; password: string }) => void;
export const ANNOUNCE_ADMINISTRATOR = Symbol('castellan.announce_administrator');

/** Makes the first administrator, and only where there is none. */
@Injectable()
export class FirstAdministrator {
  constructor(
    private readonly environment: Environment,
    private readonly roles: Roles,
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly policy: PasswordPolicy,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
    private readonly log: Log,
    @Inject(ANNOUNCE_ADMINISTRATOR) private readonly announce: AnnounceAdministrator,
    startup: StartupTasks,
  ) {
    startup.add({ name: 'first administrator', run: () => this.ensure() });
  }

  private async ensure(): Promise<void> {
    if (await this.roles.hasAdministrator()) return;
    const { adminUsername: username, adminPassword, isProduction } = this.environment;
    if (adminPassword === undefined && isProduction) {
      this.log.warn('There is no administrator yet: run "cli admin create", or set ADMIN_PASSWORD and start again');
      return;
    }
    if (await this.users.isUsernameTaken(username)) {
      this.log.error('There is no administrator, and ADMIN_USERNAME belongs to somebody who is none', { username });
      return;
    }
    const password = adminPassword ?? randomPassword();
    await this.checkPassword(password, username);
    await this.create(username, password);
    if (adminPassword === undefined) this.announce({ username, password });
  }

  private async checkPassword(password: string, username: string): Promise<void> {
    try {
      await this.policy.check(password, username, 'password');
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      throw new EnvironmentError([
        {
          variable: 'ADMIN_PASSWORD',
          problem: 'breaks the password rules',
          allowed: '8 to 256 characters, not a common password, not the username',
        },
      ]);
    }
  }

  private async create(username: string, password: string): Promise<void> {
    const passwordHash = await this.hasher.hash(password);
    const id = newId();
    await this.transactions.run(async () => {
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
      });
      await this.roles.join(id, ADMIN_ROLE);
      await this.roles.join(id, USER_ROLE);
      await this.audit.record({
        action: 'user.create',
        target: { type: 'user', id, label: username },
        after: { source: 'first administrator', roles: [ADMIN_ROLE, USER_ROLE] },
      });
    });
    this.log.info('Made the first administrator', { username });
  }
}
