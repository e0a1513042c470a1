import { isForeignHash, verifyForeignHash, WEAK_HASH_PREFIX } from './foreign-hashes';
import { HashingQueue } from './hashing-queue';
import { normalisedPassword } from './normalised-password';
import { PasswordHasher } from './password-hasher';

/**
 * Judges hashes that another system made beside those of the hasher it stands before; what is hashed anew is always the
 * latter's. Foreign work passes through the same queue.
 */
export class MigratingPasswordHasher extends PasswordHasher {
  constructor(
    private readonly own: PasswordHasher,
    private readonly queue: HashingQueue,
  ) {
    super();
  }

  override hash(plaintext: string): Promise<string> {
    return this.own.hash(plaintext);
  }

  override async verify(plaintext: string, stored: string): Promise<boolean> {
    if (!isForeignHash(stored)) return this.own.verify(plaintext, stored);
    const isRight = await this.queue.run(() => verifyAsTyped(plaintext, stored));
    // A digest takes no time at all: whoever guesses must not see by it that the name is known.
    if (stored.startsWith(WEAK_HASH_PREFIX)) await this.own.verifyNothing(plaintext);
    return isRight;
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
