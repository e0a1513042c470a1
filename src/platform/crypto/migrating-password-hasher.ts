import { availableParallelism } from 'node:os';
import { verifyArgon2 } from './argon2-password-hasher';
import { isForeignHash, verifyForeignHash, WEAK_HASH_PREFIX } from './foreign-hashes';
import { HashingQueue } from './hashing-queue';
import { normalisedPassword, passwordForms } from './normalised-password';
import { PasswordHasher } from './password-hasher';

/**
 * Verifies hashes of other systems and hashes with outdated parameters, besides those of the hasher that it wraps. New
 * hashes always come from the wrapped hasher. The additional work has its own queue with at most half of the cores, so
 * that attempts on expensive hashes do not delay other logins.
 */
export class MigratingPasswordHasher extends PasswordHasher {
  constructor(
    private readonly own: PasswordHasher,
    private readonly foreignQueue = new HashingQueue({
      concurrency: Math.max(1, Math.floor(availableParallelism() / 2)),
    }),
  ) {
    super();
  }

  override hash(plaintext: string): Promise<string> {
    return this.own.hash(plaintext);
  }

  override async verify(plaintext: string, stored: string): Promise<boolean> {
    if (!isForeignHash(stored)) return this.verifyOwn(plaintext, stored);
    const isRight = await this.foreignQueue.run(() =>
      verifyAny(passwordForms(plaintext), (form) => verifyForeignHash(form, stored)),
    );
    // A digest is fast: equalize the time, or it would reveal that the user exists.
    if (stored.startsWith(WEAK_HASH_PREFIX)) await this.own.verifyNothing(plaintext);
    return isRight;
  }

  /** Enters this queue before the common one, so that expensive hashes never fill the latter. */
  private async verifyOwn(plaintext: string, stored: string): Promise<boolean> {
    const isOutdated = this.own.needsRehash(stored);
    const verify = (): Promise<boolean> => this.own.verify(plaintext, stored);
    if (!isOutdated) return verify();
    // The hasher verifies the composed form. Another system may have hashed another one.
    const others = passwordForms(plaintext).filter((form) => form !== normalisedPassword(plaintext));
    return this.foreignQueue.run(
      async () => (await verify()) || verifyAny(others, (form) => verifyArgon2(form, stored)),
    );
  }

  override needsRehash(stored: string): boolean {
    return isForeignHash(stored) || this.own.needsRehash(stored);
  }

  override verifyNothing(plaintext: string): Promise<false> {
    return this.own.verifyNothing(plaintext);
  }
}

type VerifyForm = (form: string) => Promise<boolean>;

/** Whether any of the forms is right. Most passwords have one. */
async function verifyAny(forms: readonly string[], verify: VerifyForm): Promise<boolean> {
  for (const form of forms) {
    if (await verify(form)) return true;
  }
  return false;
}
