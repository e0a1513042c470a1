import { Argon2PasswordHasher } from '../platform/crypto';

/** Argon2 with minimal cost, for tests that log in often. Its hashes are not secure: never use it for real accounts. */
export class QuickHasher extends Argon2PasswordHasher {
  constructor() {
    super({ memoryKib: 64, passes: 1, lanes: 1 });
  }
}
