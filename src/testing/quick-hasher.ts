import { Argon2PasswordHasher } from '../platform/crypto';

/** Argon2 at its least, for tests that log in often. Its hashes guard nothing: never for real accounts. */
export class QuickHasher extends Argon2PasswordHasher {
  constructor() {
    super({ memoryKib: 64, passes: 1, lanes: 1 });
  }
}
