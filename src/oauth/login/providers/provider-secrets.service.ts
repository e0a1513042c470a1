import { Injectable, OnModuleInit } from '@nestjs/common';
import { EnvironmentError } from '../../../platform/config';
import { SecretBox, SecretBoxError } from '../../../platform/crypto';
import { StartupTasks, Transactions } from '../../../platform/database';
import { Log } from '../../../platform/logging';
import { LoginProvider } from './login-provider.entity';
import { LoginProviderRepository } from './login-provider.repository';

const contextOf = (id: string): string => `oauth_provider|${id}|client_secret`;

/** Encrypts client secrets for their row, so that a secret moved to another row cannot be decrypted. */
@Injectable()
export class ProviderSecretsService implements OnModuleInit {
  constructor(
    private readonly box: SecretBox,
    private readonly repository: LoginProviderRepository,
    private readonly transactions: Transactions,
    private readonly log: Log,
    private readonly startup: StartupTasks,
  ) {}

  onModuleInit(): void {
    this.startup.add({ name: 'secrets of login providers', stage: 'secrets', run: () => this.prepare() });
  }

  seal(id: string, plaintext: string): string {
    return this.box.seal(plaintext, contextOf(id));
  }

  /**
   * The decrypted secret. Empty if there is none. Throws SecretBoxError if the value was not encrypted for this row.
   */
  open({ id, clientSecret }: Pick<LoginProvider, 'id' | 'clientSecret'>): string {
    return clientSecret === null ? '' : this.box.openOrLegacy(clientSecret, contextOf(id));
  }

  /** Like `open`, but undefined instead of an error. */
  find(provider: Pick<LoginProvider, 'id' | 'clientSecret'>): string | undefined {
    try {
      return this.open(provider);
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      return undefined;
    }
  }

  /** The secret encrypted with the first key, for the next write. Throws SecretBoxError like `open`. */
  renew(provider: Pick<LoginProvider, 'id' | 'clientSecret'>): string | null {
    const { id, clientSecret } = provider;
    if (clientSecret === null || !this.box.needsReseal(clientSecret)) return clientSecret;
    return this.seal(id, this.open(provider));
  }

  /** Before the first request: encrypts every secret with a current key. Errors: `EnvironmentError`. */
  private async prepare(): Promise<void> {
    await this.transactions.run(async () => {
      for (const provider of await this.repository.findAll()) await this.reseal(provider);
    });
  }

  private async reseal(provider: LoginProvider): Promise<void> {
    try {
      const fresh = this.renew(provider);
      const { id, clientSecret } = provider;
      const isLegacy = clientSecret !== null && this.box.sealedWith(clientSecret) === undefined;
      if (isLegacy || clientSecret === null || fresh === null || fresh === clientSecret) return;
      await this.repository.replaceSealed(id, clientSecret, fresh);
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      if (error.reason === 'unknown_key') throw foreignKeys();
      // A damaged row affects only its provider.
      this.log.error('The secret of a login provider cannot be decrypted', { provider: provider.name });
    }
  }
}

function foreignKeys(): EnvironmentError {
  return new EnvironmentError([
    {
      variable: 'ENCRYPTION_KEYS',
      problem: 'cannot decrypt the secrets of login providers in the database',
      allowed: 'the keys that encrypted them; a new key may come first',
    },
  ]);
}
