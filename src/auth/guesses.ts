import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { RequestContext } from '../platform/context';
import { ErrorFactory, ProblemError } from '../platform/errors';
import { Guess, Lockout, lockoutErrors, secondFactorOf } from '../session';
import { KnownUser, userTarget } from '../users';
import { RecogniseDevice } from './login.service';

/** Where a guess comes from. */
export interface Guesser {
  readonly request: RequestContext;
  readonly recognise: RecogniseDevice;
}

/** What is guessed at. */
export interface GuessedSecret {
  /** Whose it is, if anybody's. */
  readonly user: KnownUser | undefined;
  /** Stands for whoever was named, where that is nobody. */
  readonly name: string;
  /** What wrong ones are answered with: these alone are counted. */
  readonly refusal: ErrorFactory;
  /** How the audit calls a wrong one. */
  readonly action: string;
  /** What the audit says of it. */
  readonly after?: object;
  /** It is counted apart: a right first factor does not forgive wrong second ones. */
  readonly isSecondFactor?: boolean;
  /** Wrong ones are few without the lockout, too, so that whoever brings the right one is let through a lock of the account. */
  readonly opensLock?: boolean;
}

interface TakenGuess {
  readonly guess: Guess;
  /** What a wrong one is answered with. */
  readonly locked?: ProblemError;
}

/** Judges secrets outside the login under its lockout: whoever is locked out of one way is locked out of all. */
@Injectable()
export class Guesses {
  constructor(
    private readonly lockout: Lockout,
    private readonly audit: Audit,
  ) {}

  /** Errors: those of the judge, `account_locked`, `rate_limited`. */
  async judge<T>(secret: GuessedSecret, guesser: Guesser, judge: () => Promise<T>): Promise<T> {
    const { guess, locked } = await this.take(secret, guesser);
    try {
      const right = await judge();
      await guess.succeeded();
      return right;
    } catch (error) {
      const isRefused = error instanceof ProblemError && error.code === secret.refusal.code;
      if (isRefused) await this.noteWrong(secret, await guess.failed());
      else await guess.abandoned();
      throw isRefused && locked ? locked : error;
    }
  }

  private async take(secret: GuessedSecret, { request, recognise }: Guesser): Promise<TakenGuess> {
    const { user, name, isSecondFactor = false, opensLock = false } = secret;
    const subject = user?.id ?? name;
    const device = recognise(user);
    const address = request.limitKey;
    try {
      const at = { subject: isSecondFactor ? secondFactorOf(subject) : subject, address, ...(device && { device }) };
      return { guess: await this.lockout.take(at) };
    } catch (error) {
      if (opensLock && isLocked(error)) return { guess: await this.lockout.takeUnderLock(address), locked: error };
      throw error;
    }
  }

  private async noteWrong({ user, action, after }: GuessedSecret, locked: boolean): Promise<void> {
    await this.audit.recordFailure({
      action,
      ...(user && { target: userTarget(user) }),
      ...((after ?? locked) && { after: { ...after, ...(locked && { locked }) } }),
    });
  }
}

const isLocked = (error: unknown): error is ProblemError =>
  error instanceof ProblemError && error.code === lockoutErrors.accountLocked.code;
