import { Injectable } from '@nestjs/common';
import { PasswordHasher } from '../../platform/crypto';
import { ErrorFactory } from '../../platform/errors';
import { KnownUser, UserRepository } from '../../users';
import { Guesser, Guesses } from '../guesses';

/** Asks somebody who is logged in for the password again. */
@Injectable()
export class PasswordProof {
  constructor(
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly guesses: Guesses,
  ) {}

  /** Errors: the refusal for a wrong one (counted by the lockout), `account_locked`, `rate_limited`. */
  async prove(user: KnownUser, password: string, guesser: Guesser, refusal: ErrorFactory): Promise<void> {
    const secret = { user, name: user.username, refusal, action: 'password.prove' };
    await this.guesses.judge(secret, guesser, async () => {
      const stored = await this.users.findPassword(user.id);
      if (!stored || !(await this.hasher.verify(password, stored.hash))) throw refusal();
    });
  }
}
