import { Injectable, OnModuleInit } from '@nestjs/common';
import { PasskeysService } from '../../mfa';
import { CredentialSource, CredentialSourceRegistry } from '../../users';
import { LoginMethodRegistry } from './login-method.registry';

/** Passkeys, while the login method is enabled. */
@Injectable()
export class PasskeyCredentialsService extends CredentialSource implements OnModuleInit {
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
