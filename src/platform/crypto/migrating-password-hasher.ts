import { availableParallelism } from 'node:os';
import { isForeignHash, verifyForeignHash, WEAK_HASH_PREFIX } from './foreign-hashes';
import { HashingQueue } from './hashing-queue';
import { normalisedPassword } from './normalised-password';
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
    const isRight = await this.foreignQueue.run(() => verifyAsTyped(plaintext, stored));
    // A digest is fast: equalize the time, or it would reveal that the user exists.
    if (stored.startsWith(WEAK_HASH_PREFIX)) await this.own.verifyNothing(plaintext);
    return isRight;
  }

  /** Enters this queue before the common one, so that expensive hashes never fill the latter. */
  private verifyOwn(plaintext: string, stored: string): Promise<boolean> {
    const verify = (): Promise<boolean> => this.own.verify(plaintext, stored);
    return this.own.needsRehash(stored) ? this.foreignQueue.run(verify) : verify();
  }

  override needsRehash(stored: string): boolean {
    return isForeignHash(stored) || this.own.needsRehash(stored);
  }

  override verifyNothing(plaintext: string): Promise<false> {
    return this.own.verifyNothing(plaintext);
  }
}

/** Other systems hash the password as typed. A keyboard that composes letters differently may need the NFC form. */
async function verifyAsTyped(plaintext: string, stored: string): Promise<boolean> {
  if (await verifyForeignHash(plaintext, stored)) return true;
  const composed = normalisedPassword(plaintext);
  return composed !== plaintext && verifyForeignHash(composed, stored);
}
