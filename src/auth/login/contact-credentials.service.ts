import { Injectable, OnModuleInit } from '@nestjs/common';
import { messageChannels } from '../../messaging';
import { CredentialSource, UserRepository, CredentialSourceRegistry } from '../../users';
import { CodeChannelRegistry, contactOf } from '../../verification';
import { LoginMethodRegistry } from './login-method.registry';

/** Verified contacts that a code can be sent to, while the login method is enabled. */
@Injectable()
export class ContactCredentialsService extends CredentialSource implements OnModuleInit {
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
