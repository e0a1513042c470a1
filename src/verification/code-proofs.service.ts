import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { SettingsReader } from '../platform/settings';
import { CodeChannelRegistry } from './code-channel.registry';
import { CodeDigestService } from './code-digest.service';
import { CodeTargetRepository } from './code-target.repository';
import { CodePlace, CodeRepository, PendingCode } from './code.repository';
import { maxCodeAttempts } from './code.settings';
import { codeErrors } from './codes.errors';

const MAX_WRONG_PER_HOUR = 10;
/** Compared with when there is no code, to keep the timing equal. */
const NOTHING: PendingCode = { id: '', digest: '', userId: null, sessionId: null };

/** An attempt to use a code. */
export interface CodeUse extends CodePlace {
  readonly code: string;
  /** The user that the code is for. Undefined for `register`. */
  readonly userId?: string | undefined;
  /** For `bind`: the session that requested the code. */
  readonly sessionId?: string | undefined;
}

/** A correct code. */
export interface CodeProof {
  /**
   * Consumes the code in the transaction of its use. Only one of several concurrent uses succeeds, and a rollback
   * restores the code. Errors: `code_invalid`.
   */
  consume(): Promise<void>;
}

/** Verifies codes. A correct code can be used once. Attempts are limited across all instances. */
@Injectable()
export class CodeProofsService {
  constructor(
    private readonly channels: CodeChannelRegistry,
    private readonly codes: CodeRepository,
    private readonly targets: CodeTargetRepository,
    private readonly digest: CodeDigestService,
    private readonly settings: SettingsReader,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Must not run within a transaction: it counts attempts in a separate transaction, so that the caller's rollback
   * keeps the count. Errors: `code_invalid` (wrong, consumed, expired, too many attempts, or another user's: one error
   * for all), `rate_limited` (ten wrong codes for the target in an hour), `verification_disabled`.
   */
  async check(use: CodeUse): Promise<CodeProof> {
    if (this.transactions.isOpen) throw new Error('Codes must not be verified within a transaction');
    if (!(await this.channels.isOn())) throw codeErrors.verificationDisabled();
    const pending = await this.countAttempt(use);
    if (!this.isRight(use, pending ?? NOTHING)) throw codeErrors.codeInvalid();
    const { id } = pending ?? NOTHING;
    await this.forgive(use, id);
    return {
      consume: async () => {
        if (!(await this.codes.consume(id))) throw codeErrors.codeInvalid();
      },
    };
  }

  private async countAttempt(use: CodeUse): Promise<PendingCode | undefined> {
    const maxAttempts = await this.settings.get(maxCodeAttempts);
    return this.transactions.run(async () => {
      if (!(await this.targets.countFailure(use, MAX_WRONG_PER_HOUR))) {
        throw platformErrors.rateLimited({ retryAfterSeconds: await this.targets.secondsUntilOpen(use) });
      }
      return this.codes.attempt(use, maxAttempts);
    });
  }

  private isRight(use: CodeUse, { id, digest, userId, sessionId }: PendingCode): boolean {
    const isTheCode = this.digest.matches({ ...use, id }, digest);
    return isTheCode && userId === (use.userId ?? null) && sessionId === (use.sessionId ?? null);
  }

  /**
   * Undoes the count of a correct attempt. Only wrong attempts count in the end, but each counts until it is verified.
   */
  private async forgive(use: CodeUse, id: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.targets.undoFailure(use);
      await this.codes.giveBack(id);
    });
  }
}
