import { randomToken } from './random';

/**
 * Hashes and verifies passwords. Replace it to change the algorithm; old hashes should stay verifiable. Plaintexts
 * arrive as typed: an implementation treats texts that are equal in NFC as equal and never trims or truncates.
 */
export abstract class PasswordHasher {
  private decoyHash: Promise<string> | undefined;

  /** Returns a salted, self-describing hash to store. Errors: `unavailable` on overload. */
  abstract hash(plaintext: string): Promise<string>;

  /** Whether the password matches the hash; false for a malformed hash. Errors: `unavailable` on overload. */
  abstract verify(plaintext: string, hash: string): Promise<boolean>;

  /** Whether the hash has outdated parameters or is malformed, so that the next login should replace it. */
  abstract needsRehash(hash: string): boolean;

  /**
   * Does the work of one `verify` and returns false: called for unknown users and users without a password, to keep
   * timing equal. This default hashes a decoy on the first call; override it if a decoy costs nothing.
   */
  async verifyNothing(plaintext: string): Promise<false> {
    await this.verify(plaintext, await this.decoy());
    return false;
  }

  private decoy(): Promise<string> {
    this.decoyHash ??= this.hash(randomToken()).catch((error: unknown) => {
      // An overload on the first call must not fail every later one.
      this.decoyHash = undefined;
      throw error;
    });
    return this.decoyHash;
  }
}
