import { Injectable, OnModuleInit } from '@nestjs/common';
import { LoginMethodRegistry } from './login-method.registry';
import { CredentialSource, CredentialSourceRegistry, UserRepository } from '../../users';

/** Passwords, while the login method is enabled. */
@Injectable()
export class PasswordCredentialsService extends CredentialSource implements OnModuleInit {
  constructor(
    private readonly methods: LoginMethodRegistry,
    private readonly users: UserRepository,
    private readonly sources: CredentialSourceRegistry,
  ) {
    super();
  }

  onModuleInit(): void {
    this.sources.add(this);
  }

  async ableAmong(userIds: readonly string[]): Promise<readonly string[]> {
    return (await this.methods.loadDisabled()).has('password') ? [] : this.users.withPassword(userIds);
  }
}
