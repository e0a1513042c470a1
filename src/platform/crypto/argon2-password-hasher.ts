import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { HashingQueue } from './hashing-queue';
import { normalisedPassword } from './normalised-password';
import { PasswordHasher } from './password-hasher';

export interface Argon2Options {
  /** Memory in KiB. Default: 19,456 (OWASP Password Storage, ASVS 5.0 §11.4.2). */
  readonly memoryKib?: number;
  /** Passes over the memory. Default: 2. */
  readonly passes?: number;
  /** Lanes (degree of parallelism). Default: 1. */
  readonly lanes?: number;
}

/** Parameters of a PHC string; the type of the package uses enums that exist at compile time only. */
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

/** Limits above any sensible configuration: verifying a stored hash with more would take the process down. */
const MAX_MEMORY_KIB = 1_048_576;
const MAX_PASSES = 64;
/** KiB times passes, which determines the time of a verification: 64 MiB with 32 passes, or 1 GiB with 2. */
const MAX_MEMORY_PASSES = 2_097_152;
const MAX_LANES = 64;

/**
 * argon2id (RFC 9106) in PHC strings. Normalizes passwords to NFC (NIST SP 800-63B-4 §3.1.1.2) and never trims or
 * truncates them.
 */
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
    const parameters = parsed(phc);
    if (!parameters || !isWithinLimits(parameters)) return false;
    // Caught inside the job: a hash that the library rejects returns false, while an overloaded queue stays an error.
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

  /**
   * Verifies against a random hash with the current parameters, so that the first call takes no longer than the others.
   */
  override async verifyNothing(plaintext: string): Promise<false> {
    this.decoyPhc ??= this.randomPhc();
    await this.verify(plaintext, this.decoyPhc);
    return false;
  }

  private randomPhc(): string {
    const { memoryCost, timeCost, parallelism } = this.parameters;
    const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');
    return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(SALT_BYTES)}$${base64(HASH_BYTES)}`;
  }
}

/** Whether the text is an argon2 hash (RFC 9106, any variant) in a PHC string within the limits above. */
export function isArgon2Hash(stored: string): boolean {
  const parameters = parsed(stored);
  return parameters !== undefined && isWithinLimits(parameters);
}

/** Whether the password, exactly as given, has the argon2 hash. False for a hash that exceeds the limits. */
export async function verifyArgon2(plaintext: string, phc: string): Promise<boolean> {
  return isArgon2Hash(phc) && verify(phc, plaintext).catch(() => false);
}

function parsed(phc: string): PhcParameters | undefined {
  try {
    return parseOptions(phc);
  } catch {
    return undefined;
  }
}

function isWithinLimits(parameters: PhcParameters): boolean {
  const { memoryCost, timeCost, parallelism } = parameters;
  return (
    memoryCost <= MAX_MEMORY_KIB &&
    timeCost <= MAX_PASSES &&
    memoryCost * timeCost <= MAX_MEMORY_PASSES &&
    parallelism <= MAX_LANES
  );
}
