import { Injectable } from '@nestjs/common';
import { Passkeys } from '../mfa';
import { LoginMethods } from '../session';
import { CredentialSource, CredentialSources, UserRepository } from '../users';
import { CodeChannels, contactOf, messageChannels } from '../verification';

/** Passwords, while they are offered as a way to log in. */
@Injectable()
export class PasswordCredentials extends CredentialSource {
  constructor(
    private readonly methods: LoginMethods,
    private readonly users: UserRepository,
    sources: CredentialSources,
  ) {
    super();
    sources.add(this);
  }

  async ableAmong(userIds: readonly string[]): Promise<readonly string[]> {
    return (await this.methods.loadDisabled()).has('password') ? [] : this.users.withPassword(userIds);
  }
}

/** Proven contacts that a code can be sent to, while that is offered as a way to log in. */
@Injectable()
export class ContactCredentials extends CredentialSource {
  constructor(
    private readonly methods: LoginMethods,
    private readonly channels: CodeChannels,
    private readonly users: UserRepository,
    sources: CredentialSources,
  ) {
    super();
    sources.add(this);
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

/** Passkeys, while they are offered as a way to log in. */
@Injectable()
export class PasskeyCredentials extends CredentialSource {
  constructor(
    private readonly methods: LoginMethods,
    private readonly passkeys: Passkeys,
    sources: CredentialSources,
  ) {
    super();
    sources.add(this);
  }

  async ableAmong(userIds: readonly string[]): Promise<readonly string[]> {
    return (await this.methods.loadDisabled()).has('passkey') ? [] : this.passkeys.ownersAmong(userIds);
  }
}
