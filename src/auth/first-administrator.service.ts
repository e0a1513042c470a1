import { Inject, Injectable, OnModuleInit } from '@nestjs/common';
import { Environment, EnvironmentError } from '../platform/config';
import { randomPassword } from '../platform/crypto';
import { StartupTasks } from '../platform/database';
import { ProblemError } from '../platform/errors';
import { Log } from '../platform/logging';
import { RolesService } from '../rbac';
import { PasswordPolicyService, UserRepository } from '../users';
import { AdministratorsService } from './administrators.service';

/** Called once, when the first administrator is created with a generated password. The password must not be logged. */
export type AnnounceAdministrator = (credentials: { username: string; password: string }) => void;
export const ANNOUNCE_ADMINISTRATOR = Symbol('castellan.announce_administrator');

/** Creates the first administrator when none exists. */
@Injectable()
export class FirstAdministratorService implements OnModuleInit {
  constructor(
    private readonly environment: Environment,
    private readonly roles: RolesService,
    private readonly users: UserRepository,
    private readonly policy: PasswordPolicyService,
    private readonly administrators: AdministratorsService,
    private readonly log: Log,
    @Inject(ANNOUNCE_ADMINISTRATOR) private readonly announce: AnnounceAdministrator,
    private readonly startup: StartupTasks,
  ) {}

  onModuleInit(): void {
    this.startup.add({ name: 'first administrator', stage: 'administrator', run: () => this.ensure() });
  }

  private async ensure(): Promise<void> {
    if (await this.roles.hasAdministrator()) return;
    const { adminUsername: username, adminPassword, isProduction } = this.environment;
    if (adminPassword === undefined && isProduction) {
      this.log.warn(
        'There is no administrator yet: run "node dist/cli.js admin create", or set ADMIN_PASSWORD and start again',
      );
      return;
    }
    if (await this.users.isUsernameTaken(username)) {
      this.log.error('There is no administrator, and ADMIN_USERNAME is the name of another user', { username });
      return;
    }
    const password = adminPassword ?? randomPassword();
    await this.checkPassword(password, username);
    await this.administrators.create(username, password, 'first administrator');
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
}
