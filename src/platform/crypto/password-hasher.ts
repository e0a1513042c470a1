import { randomToken } from './random';

/**
 * Hashes and verifies passwords. Replace it to change the algorithm; old hashes should stay verifiable.
 * Plaintexts come as the user typed them; a hasher treats texts that are equal in NFC as equal and never trims or cuts.
 */
export abstract class PasswordHasher {
  private decoyHash: Promise<string> | undefined;

  /** A salted, self-describing hash to store. Errors: `unavailable` under overload. */
  abstract hash(plaintext: string): Promise<string>;

  /** Whether the password belongs to the hash; a malformed hash is false, never an error. Errors: `unavailable` under overload. */
  abstract verify(plaintext: string, hash: string): Promise<boolean>;

  /** Whether the hash was made with other parameters than today's (or is malformed) and should be made anew after a login. */
  abstract needsRehash(hash: string): boolean;

  /**
   * The work of one `verify`, always false: for unknown users, and users without a password, so that they take the
   * time of a wrong password. This default hashes a decoy at its first call; override it where one can be had for free.
   */
  async verifyNothing(plaintext: string): Promise<false> {
    await this.verify(plaintext, await this.decoy());
    return false;
  }

  private decoy(): Promise<string> {
    this.decoyHash ??= this.hash(randomToken()).catch((error: unknown) => {
      // One overload at the first call must not fail every later one.
      this.decoyHash = undefined;
      throw error;
    });
    return this.decoyHash;
  }
}
