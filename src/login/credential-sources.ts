import { Injectable, OnModuleInit } from '@nestjs/common';
import { PasskeysService } from '../mfa';
import { LoginMethodRegistry } from './login-method.registry';
import { CredentialSource, CredentialSourceRegistry, UserRepository } from '../users';
import { messageChannels } from '../messaging';
import { CodeChannelRegistry, contactOf } from '../verification';

/** Passwords, while the login method is enabled. */
@Injectable()
export class PasswordCredentialSource extends CredentialSource implements OnModuleInit {
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

/** Verified contacts that a code can be sent to, while the login method is enabled. */
@Injectable()
export class ContactCredentialSource extends CredentialSource implements OnModuleInit {
  constructor(
    private readonly methods: LoginMethodRegistry,
    private readonly channels: CodeChannelRegistry,
    private readonly users: UserRepository,
    private readonly sources: CredentialSourceRegistry,
  ) {
    super();
  }

  onModuleInit(): void {
    this.sources.add(this);
  }

  async ableAmong(userIds: readonly string[]): Promise<readonly string[]> {
    const disabled = await this.methods.loadDisabled();
    const able: string[] = [];
    for (const channel of messageChannels) {
      if (disabled.has(channel) || !(await this.channels.isOffered(channel))) continue;
      able.push(...(await this.users.withProven(contactOf[channel], userIds)));
    }
    return able;
  }
}

/** Passkeys, while the login method is enabled. */
@Injectable()
export class PasskeyCredentialSource extends CredentialSource implements OnModuleInit {
  constructor(
    private readonly methods: LoginMethodRegistry,
    private readonly passkeys: PasskeysService,
    private readonly sources: CredentialSourceRegistry,
  ) {
    super();
  }

  onModuleInit(): void {
    this.sources.add(this);
  }

  async ableAmong(userIds: readonly string[]): Promise<readonly string[]> {
    return (await this.methods.loadDisabled()).has('passkey') ? [] : this.passkeys.ownersAmong(userIds);
  }
}
