import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { HashingQueue } from './hashing-queue';
import { normalisedPassword } from './normalised-password';
import { PasswordHasher } from './password-hasher';

export interface Argon2Options {
  /** Memory in KiB; 19,456 unless told (OWASP Password Storage, ASVS 5.0 §11.4.2). */
  readonly memoryKib?: number;
  /** Passes over the memory; 2 unless told. */
  readonly passes?: number;
  /** Lanes; 1 unless told. */
  readonly lanes?: number;
}

/** What a PHC string says of itself; the package's own type has enums that exist for the compiler only. */
interface PhcParameters {
  readonly algorithm: number;
  readonly version: number;
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
  readonly outputLen: number;
  readonly saltLen: number;
}

// The package's defaults: argon2id in version 0x13.
const ARGON2ID = 2;
const VERSION_0X13 = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Above what any operator would configure: a stored hash that asks for more would take the process down, not verify. */
const MAX_MEMORY_KIB = 1_048_576;
const MAX_PASSES = 64;
/** KiB times passes, which is the time a verification takes: 64 MiB in 32 passes, or 1 GiB in two. */
const MAX_MEMORY_PASSES = 2_097_152;
const MAX_LANES = 64;

/** argon2id (RFC 9106) in PHC strings. Passwords are NFC-normalised (NIST SP 800-63B-4 §3.1.1.2) here and never trimmed or cut. */
export class Argon2PasswordHasher extends PasswordHasher {
  private readonly parameters: { memoryCost: number; timeCost: number; parallelism: number };
  private decoyPhc: string | undefined;

  constructor(
    options: Argon2Options = {},
    private readonly queue: HashingQueue = new HashingQueue(),
  ) {
    super();
    this.parameters = {
      memoryCost: options.memoryKib ?? 19_456,
      timeCost: options.passes ?? 2,
      parallelism: options.lanes ?? 1,
    };
  }

  override hash(plaintext: string): Promise<string> {
    return this.queue.run(() => hash(normalisedPassword(plaintext), { ...this.parameters, outputLen: HASH_BYTES }));
  }

  override async verify(plaintext: string, phc: string): Promise<boolean> {
    const asked = parsed(phc);
    if (!asked || !isBearable(asked)) return false;
    // The catch is inside the job: a hash the library refuses is false, but an overloaded queue stays an error.
    return this.queue.run(() => verify(phc, normalisedPassword(plaintext)).catch(() => false));
  }

  override needsRehash(phc: string): boolean {
    const made = parsed(phc);
    if (!made) return true;
    const { memoryCost, timeCost, parallelism } = this.parameters;
    return !(
      made.algorithm === ARGON2ID &&
      made.version === VERSION_0X13 &&
      made.memoryCost === memoryCost &&
      made.timeCost === timeCost &&
      made.parallelism === parallelism &&
      made.outputLen === HASH_BYTES &&
      made.saltLen >= SALT_BYTES
    );
  }

  /** As promised by the port; the decoy is a random hash in today's parameters, so that even the first call costs one verification. */
  override async verifyNothing(plaintext: string): Promise<false> {
    this.decoyPhc ??= this.madeUpPhc();
    await this.verify(plaintext, this.decoyPhc);
    return false;
  }

  private madeUpPhc(): string {
    const { memoryCost, timeCost, parallelism } = this.parameters;
    const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');
    return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(SALT_BYTES)}$${base64(HASH_BYTES)}`;
  }
}

/** Whether it is an argon2 hash (RFC 9106, any variant) as a PHC string that can be verified here. */
export function isArgon2Hash(stored: string): boolean {
  const asked = parsed(stored);
  return asked !== undefined && isBearable(asked);
}

function parsed(phc: string): PhcParameters | undefined {
  try {
    return parseOptions(phc);
  } catch {
    return undefined;
  }
}

function isBearable(asked: PhcParameters): boolean {
  const { memoryCost, timeCost, parallelism } = asked;
  return (
    memoryCost <= MAX_MEMORY_KIB &&
    timeCost <= MAX_PASSES &&
    memoryCost * timeCost <= MAX_MEMORY_PASSES &&
    parallelism <= MAX_LANES
  );
}
