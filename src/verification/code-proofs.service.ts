import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { SettingsReader } from '../platform/settings';
import { CodeChannelRegistry } from './code-channel.registry';
import { CodeDayService } from './code-day.service';
import { CodeDigestService } from './code-digest.service';
import { Attempter, CodeTargetRepository } from './code-target.repository';
import { CodeCandidate, CodePlace, CodeRepository, PendingCode } from './code.repository';
import { maxCodeAttempts, maxDailyCodes } from './code.settings';
import { maxWrongPerDay } from './wrong-codes-per-day';
import { codeErrors } from './codes.errors';

/** Compared with when there is no code, to keep the timing equal. */
const NOTHING: PendingCode = { id: '', digest: '', userId: null, sessionId: null };

/** The code that is attempted, and who attempts it. */
export interface CodeRequestOf extends CodePlace {
  /** Hashes of the secrets that the browser received with requests for codes. */
  readonly browsers?: readonly string[] | undefined;
  /** For `bind`: the session that requested the code. */
  readonly sessionId?: string | undefined;
}

/** An attempt to use a code. */
export interface CodeUse extends CodeRequestOf {
  readonly code: string;
  /** The user that the code is for. Undefined for `register`. */
  readonly userId?: string | undefined;
}

/** A correct code. */
export interface CodeProof {
  /**
   * Consumes the code in the transaction of its use. Only one of several concurrent uses succeeds, and a rollback
   * restores the code. Errors: `code_invalid`.
   */
  consume(): Promise<void>;
}

type CountedAttempt = CodeCandidate & { readonly code: PendingCode };

/** Verifies codes. A correct code can be used once. Attempts are limited across all instances. */
@Injectable()
export class CodeProofsService {
  constructor(
    private readonly channels: CodeChannelRegistry,
    private readonly codes: CodeRepository,
    private readonly targets: CodeTargetRepository,
    private readonly digest: CodeDigestService,
    private readonly days: CodeDayService,
    private readonly settings: SettingsReader,
    private readonly transactions: Transactions,
  ) {}

  /** Whether the browser or session requested a code that is pending. */
  async isRequestedBy(request: CodeRequestOf): Promise<boolean> {
    if (!request.browsers?.length && request.sessionId === undefined) return false;
    return (await this.candidates(request)).some(({ isOwn }) => isOwn);
  }

  /**
   * Must not run within a transaction: it counts attempts in a separate transaction, so that the caller's rollback
   * keeps the count. Attempts count only while a code is pending. Errors: `code_invalid` (wrong, consumed, expired, not
   * requested, too many attempts, or another user's: one error for all), `rate_limited` (too many wrong codes for the
   * target on this day), `verification_disabled`.
   */
  async check(use: CodeUse): Promise<CodeProof> {
    if (this.transactions.isOpen) throw new Error('Codes must not be verified within a transaction');
    if (!(await this.channels.isOn())) throw codeErrors.verificationDisabled();
    const attempts = await this.countAttempts(use);
    const right = attempts.find(({ code }) => this.isRight(use, code));
    if (attempts.length === 0) this.isRight(use, NOTHING);
    if (!right) throw codeErrors.codeInvalid();
    await this.forgive(use, attempts);
    return {
      consume: async () => {
        if (!(await this.codes.consume(right.id))) throw codeErrors.codeInvalid();
      },
    };
  }

  private async countAttempts(use: CodeUse): Promise<CountedAttempt[]> {
    const maxAttempts = await this.settings.get(maxCodeAttempts);
    const max = maxWrongPerDay(await this.settings.get(maxDailyCodes), maxAttempts);
    const day = await this.days.current();
    return this.transactions.run(async () => {
      const counted: CountedAttempt[] = [];
      let isLimited = false;
      for (const candidate of await this.candidates(use)) {
        const by = attempterOf(candidate);
        if (!(await this.targets.countFailure(use, by, { day, max: max[by] }))) isLimited = true;
        else {
          const code = await this.codes.attempt(candidate, maxAttempts);
          if (code) counted.push({ ...candidate, code });
          else await this.targets.undoFailure(use, by);
        }
      }
      if (isLimited && counted.length === 0) {
        throw platformErrors.rateLimited({ retryAfterSeconds: await this.targets.secondsLeft(day) });
      }
      return counted;
    });
  }

  private candidates({ browsers = [], sessionId, ...place }: CodeRequestOf): Promise<CodeCandidate[]> {
    return this.codes.candidates(place, { browsers, sessionId: sessionId ?? null });
  }

  private isRight(use: CodeUse, { id, digest, userId, sessionId }: PendingCode): boolean {
    const isTheCode = this.digest.matches({ ...use, id }, digest);
    return isTheCode && userId === (use.userId ?? null) && sessionId === (use.sessionId ?? null);
  }

  /**
   * Undoes the count of a correct attempt. Only wrong attempts count in the end, but each counts until it is verified.
   */
  private async forgive(use: CodeUse, attempts: readonly CountedAttempt[]): Promise<void> {
    await this.transactions.run(async () => {
      for (const attempt of attempts) {
        await this.targets.undoFailure(use, attempterOf(attempt));
        await this.codes.giveBack(attempt);
      }
    });
  }
}

const attempterOf = ({ isOwn }: CodeCandidate): Attempter => (isOwn ? 'own' : 'shared');
