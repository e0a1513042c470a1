import { availableParallelism } from 'node:os';
import { isForeignHash, verifyForeignHash, WEAK_HASH_PREFIX } from './foreign-hashes';
import { HashingQueue } from './hashing-queue';
import { normalisedPassword } from './normalised-password';
import { PasswordHasher } from './password-hasher';

/**
 * Judges hashes that another system made, or that cost more than today's, beside those of the hasher it wraps; what is
 * hashed anew is always the latter's. Such work has a queue for itself that takes half the cores at most: guesses at dear
 * hashes do not keep the other logins waiting.
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
    // A digest takes no time at all: whoever guesses must not see by it that the name is known.
    if (stored.startsWith(WEAK_HASH_PREFIX)) await this.own.verifyNothing(plaintext);
    return isRight;
  }

  /** The place here is taken before one of the common queue is, so that dear hashes never hold all of those. */
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

/** Other systems hashed what was typed; a keyboard that composes letters otherwise types the same password in NFC. */
async function verifyAsTyped(plaintext: string, stored: string): Promise<boolean> {
  if (await verifyForeignHash(plaintext, stored)) return true;
  const composed = normalisedPassword(plaintext);
  return composed !== plaintext && verifyForeignHash(composed, stored);
}
