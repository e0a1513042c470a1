import { CounterStep, CounterStore } from '../../platform/cache';
import { randomDigits, sha256 } from '../../platform/crypto';
import { SettingsReader } from '../../platform/settings';
import { MAX_LOCKOUT_SECONDS, lockoutThreshold, lockoutWindow } from './lockout.settings';

/** What an attempt is counted by. */
export interface AttemptKey {
  /** The account's id, or the identifier when no account matches it. */
  readonly subject: string;
  /** The client's address as rate limits count it. */
  readonly address: string;
  /** A device that has logged in to the account before. Its attempts are counted separately. */
  readonly device?: string;
}

/** Attempts from a known device belong to an epoch; an unlock starts a new one. */
export interface CountedAttemptKey extends AttemptKey {
  readonly epoch?: number;
}

/** The timeout of a pending attempt whose process died. */
export const PENDING_SECONDS = 300;
/** The failures that all known devices of an account may have together in a window, in thresholds. */
const DEVICE_THRESHOLDS = 5;
/**
 * Outlives all counters from before an unlock, including pending attempts. When it expires, failures of known devices
 * since the unlock are cleared once, which is less than an unlock clears.
 */
const EPOCH_SECONDS = MAX_LOCKOUT_SECONDS + PENDING_SECONDS;
const EPOCH_DIGITS = 9;

/** Counts attempts from known devices since the last unlock: each device separately, under a cap for the account. */
export class KnownDeviceAttempts {
  constructor(
    private readonly counters: CounterStore,
    private readonly settings: SettingsReader,
  ) {}

  /**
   * Adds the epoch to the key of a known device. Beyond the account's cap it returns a key without the device, because
   * otherwise many devices would multiply the allowed failures.
   */
  async withinCap(key: AttemptKey): Promise<CountedAttemptKey> {
    if (key.device === undefined) return key;
    const [threshold, seconds] = await Promise.all([
      this.settings.get(lockoutThreshold),
      this.settings.get(lockoutWindow),
    ]);
    const [attempts = 0, epoch = 0] = await this.counters.count(
      { add: 1, to: accountCapOf(key.subject), ttlSeconds: seconds },
      { read: epochOf(key.subject) },
    );
    if (attempts <= threshold * DEVICE_THRESHOLDS) return { ...key, device: `${key.device}|${epoch}`, epoch };
    await this.counters.count(...releaseCap(key));
    return { subject: key.subject, address: key.address };
  }

  /** Records the lock of a single device for administrators. Keeps the longest one. */
  async recordLock({ subject, epoch }: Partial<CountedAttemptKey>, seconds: number): Promise<void> {
    if (subject === undefined || epoch === undefined) return;
    const record = { add: 1, to: deviceLockOf(subject, epoch), ttlSeconds: seconds };
    if ((await this.counters.ttl(record.to)) < seconds) await this.counters.count({ drop: record.to }, record);
  }

  /** The counters that record a device lock of each subject, in the given order. */
  async lockRecordsOf(subjects: readonly string[]): Promise<{ subject: string; record: string }[]> {
    const epochs = await this.counters.count(...subjects.map((subject) => ({ read: epochOf(subject) })));
    return subjects.map((subject, place) => ({ subject, record: deviceLockOf(subject, epochs[place]) }));
  }
}

/** Releases the place of an attempt that did not fail. Failures stay counted under the cap. */
export const releaseCap = ({ subject, device }: AttemptKey): CounterStep[] =>
  device === undefined ? [] : [{ add: -1, to: accountCapOf(subject), ttlSeconds: PENDING_SECONDS }];

/** Invalidates all counters of known devices, because counters of an old epoch are never read again. */
export const startEpoch = (subject: string): CounterStep[] => [
  { drop: accountCapOf(subject) },
  { drop: epochOf(subject) },
  { add: newEpoch(), to: epochOf(subject), ttlSeconds: EPOCH_SECONDS },
];

const accountCapOf = (subject: string): string => `lockout:cap:${sha256(subject)}`;
const deviceLockOf = (subject: string, epoch = 0): string => `lockout:devices:${sha256(`${subject}|${epoch}`)}`;
const epochOf = (subject: string): string => `lockout:epoch:${sha256(subject)}`;
/** Random, because a counter would repeat old epochs after its expiry. */
const newEpoch = (): number => 1 + Number(randomDigits(EPOCH_DIGITS));
