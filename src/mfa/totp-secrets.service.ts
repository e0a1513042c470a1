import { Injectable, OnModuleInit } from '@nestjs/common';
import { EnvironmentError } from '../platform/config';
import { SecretBox, SecretBoxError } from '../platform/crypto';
import { StartupTasks } from '../platform/database';
import { FactorRepository } from './factor.repository';
import { contextOf } from './totp-codes.service';

const BATCH = 1_000;

/** Reseals secrets with the first encryption key at start. */
@Injectable()
export class TotpSecretsService implements OnModuleInit {
  constructor(
    private readonly factors: FactorRepository,
    private readonly box: SecretBox,
    private readonly startup: StartupTasks,
  ) {}

  onModuleInit(): void {
    this.startup.add({ name: 'secrets of second factors', stage: 'secrets', run: () => this.prepare() });
  }

  /** Throws `EnvironmentError` when no key of the ring opens a secret. */
  async prepare(): Promise<void> {
    let last: string | undefined;
    do {
      const batch = await this.factors.findSecretsBut(this.box.activePrefix, last, BATCH);
      for (const { id, secret } of batch) await this.reseal(id, secret);
      last = batch.at(-1)?.id;
    } while (last !== undefined);
  }

  private async reseal(id: string, secret: string): Promise<void> {
    try {
      await this.factors.replaceSecret(id, secret, this.box.seal(this.box.open(secret, contextOf(id)), contextOf(id)));
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      throw new EnvironmentError([
        {
          variable: 'ENCRYPTION_KEYS',
          problem: 'cannot open the secrets of second factors in the database',
          allowed: 'the keys they were sealed with, optionally with a new key before them',
        },
      ]);
    }
  }
}
