import { Injectable } from '@nestjs/common';
import { EnvironmentError } from '../platform/config';
import { SecretBoxError } from '../platform/crypto';
import { StartupTasks, Transactions } from '../platform/database';
import { declaredSettings } from '../platform/settings';
import { SettingRepository } from './setting.repository';
import { StoredValues } from './stored-values';

/** Before the first request: every secret opens, and is sealed with the first of the encryption keys. */
@Injectable()
export class SettingSecrets {
  constructor(
    private readonly repository: SettingRepository,
    private readonly values: StoredValues,
    private readonly transactions: Transactions,
    startup: StartupTasks,
  ) {
    startup.add({ name: 'secrets of settings', run: () => this.prepare() });
  }

  /** Errors: `EnvironmentError` where the keys are not those that sealed. */
  async prepare(): Promise<void> {
    const secrets = new Map(declaredSettings().flatMap((setting) => (setting.secret ? [[setting.key, setting]] : [])));
    await this.transactions.run(async () => {
      for (const { key, sealed } of await this.repository.findSealed([...secrets.keys()])) {
        const setting = secrets.get(key);
        const fresh = setting && this.opening(() => this.values.reseal(setting, sealed));
        if (fresh !== undefined) await this.repository.replaceSealed(key, sealed, fresh);
      }
    });
  }

  private opening<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      throw new EnvironmentError([
        {
          variable: 'ENCRYPTION_KEYS',
          problem: 'cannot open the secret settings in the database',
          allowed: 'the keys they were sealed with; a new one may stand before them',
        },
      ]);
    }
  }
}
