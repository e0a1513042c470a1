import { Injectable, OnModuleInit } from '@nestjs/common';
import { EnvironmentError } from '../platform/config';
import { SecretBoxError } from '../platform/crypto';
import { StartupTasks, Transactions } from '../platform/database';
import { declaredSettings, Setting } from '../platform/settings';
import { SettingRepository } from './setting.repository';
import { SettingCodecService } from './setting-codec.service';

/** Checks at start that every secret setting opens, and reseals it with the first encryption key. */
@Injectable()
export class SettingSecretsService implements OnModuleInit {
  constructor(
    private readonly repository: SettingRepository,
    private readonly values: SettingCodecService,
    private readonly transactions: Transactions,
    private readonly startup: StartupTasks,
  ) {}

  onModuleInit(): void {
    this.startup.addCheck({ name: 'keys of secret settings', run: () => this.rejectForeignKeys() });
    this.startup.add({ name: 'secrets of settings', stage: 'secrets', run: () => this.prepare() });
  }

  async prepare(): Promise<void> {
    await this.transactions.run(async () => {
      for (const { setting, sealed } of await this.findSealed()) {
        const fresh = this.values.reseal(setting, sealed);
        if (fresh !== undefined) await this.repository.replaceSealed(setting.key, sealed, fresh);
      }
    });
  }

  /** Throws `EnvironmentError` when no key of the ring opens a stored secret. */
  private async rejectForeignKeys(): Promise<void> {
    for (const { setting, sealed } of await this.findSealed()) {
      this.opening(() => this.values.fromStored(setting, sealed));
    }
  }

  private async findSealed(): Promise<{ setting: Setting; sealed: string }[]> {
    const secrets = new Map(declaredSettings().flatMap((setting) => (setting.secret ? [[setting.key, setting]] : [])));
    const rows = await this.repository.findSealed([...secrets.keys()]);
    return rows.flatMap(({ key, sealed }) => {
      const setting = secrets.get(key);
      return setting ? [{ setting, sealed }] : [];
    });
  }

  private opening(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      throw new EnvironmentError([
        {
          variable: 'ENCRYPTION_KEYS',
          problem: 'cannot open the secret settings in the database',
          allowed: 'the keys they were sealed with, optionally with a new key before them',
        },
      ]);
    }
  }
}
