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
/** Compared with where no code stands, so that this takes as long. */
const NOTHING: PendingCode = { id: '', digest: '', userId: null, sessionId: null };

/** Somebody's claim to have received a code. */
export interface CodeUse extends CodePlace {
  readonly code: string;
  /** Whose account it is to serve; for `register` nobody's. */
  readonly userId?: string | undefined;
  /** For `bind`: the session that asked for it. */
  readonly sessionId?: string | undefined;
}

/** A code that was right. */
export interface CodeProof {
  /**
   * Spends it, in the transaction of what it is good for: of parallel uses one gets through, and a roll-back leaves it as
   * it was. Errors: `code_invalid`.
   */
  consume(): Promise<void>;
}

/** Judges codes. A right one serves once; those who guess get few attempts, on all instances together. */
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
   * Never within a transaction: attempts are counted in one of their own, which stands whatever becomes of the caller's.
   * Errors: `code_invalid` (wrong, spent, expired, tried too often, or another's: one answer for all), `rate_limited`
   * (ten wrong ones for the target in an hour), `verification_disabled`.
   */
  async check(use: CodeUse): Promise<CodeProof> {
    if (this.transactions.isOpen) throw new Error('A code was judged within a transaction');
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
      if (!(await this.targets.countGuess(use, MAX_WRONG_PER_HOUR))) {
        throw platformErrors.rateLimited({ retryAfterSeconds: await this.targets.guessableIn(use) });
      }
      return this.codes.attempt(use, maxAttempts);
    });
  }

  private isRight(use: CodeUse, { id, digest, userId, sessionId }: PendingCode): boolean {
    const isTheCode = this.digest.matches({ ...use, id }, digest);
    return isTheCode && userId === (use.userId ?? null) && sessionId === (use.sessionId ?? null);
  }

  /** Only wrong ones are to be counted in the end; until it is known, each stands for one. */
  private async forgive(use: CodeUse, id: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.targets.forgiveGuess(use);
      await this.codes.giveBack(id);
    });
  }
}
