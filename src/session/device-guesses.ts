import { CounterStep, KeyValueCache } from '../platform/cache';
import { randomDigits, sha256 } from '../platform/crypto';
import { SettingsReader } from '../platform/settings';
import { LOCKOUT_SECONDS_AT_MOST, lockoutThreshold, lockoutWindow } from './lockout.settings';

export interface GuessedAt {
  /** The account, by id where it is known, else by the name that was tried. */
  readonly subject: string;
  /** The client's address as limits count it. */
  readonly address: string;
  /** The browser, where it proved to have logged in to the account before: its guesses count apart. */
  readonly device?: string;
}

/** A guess of a known browser is its generation's: what it comes to is nothing to those after it. */
export interface CountedAt extends GuessedAt {
  readonly generation?: number;
}

/** After this a guess whose process died gives its place back. */
export const PENDING_SECONDS = 300;
/** So many browsers' failures are counted apart in a window, all browsers of an account together. */
const DEVICES_WORTH = 5;
/**
 * Outlives whatever was counted before an unlock, guesses that were being judged included. What known browsers failed at
 * since is forgotten with it, once: less than an unlock gives.
 */
const GENERATION_SECONDS = LOCKOUT_SECONDS_AT_MOST + PENDING_SECONDS;
const GENERATION_DIGITS = 9;

/** What the lockout counts of browsers that know an account: each apart, under a ceiling for all, from the last unlock on. */
export class DeviceGuesses {
  constructor(
    private readonly cache: KeyValueCache,
    private readonly settings: SettingsReader,
  ) {}

  /**
   * All known browsers of an account share a ceiling; beyond it they count like everybody, or many of them were many
   * budgets. Below it they count from the last unlock on.
   */
  async withinCeiling(at: GuessedAt): Promise<CountedAt> {
    if (at.device === undefined) return at;
    const [threshold, seconds] = await Promise.all([
      this.settings.get(lockoutThreshold),
      this.settings.get(lockoutWindow),
    ]);
    const [guesses = 0, generation = 0] = await this.cache.count(
      { add: 1, to: ceilingOf(at.subject), ttlSeconds: seconds },
      { read: generationOf(at.subject) },
    );
    if (guesses <= threshold * DEVICES_WORTH) return { ...at, device: `${at.device}|${generation}`, generation };
    await this.cache.count(...underCeiling(at));
    return { subject: at.subject, address: at.address };
  }

  /** So that an administrator is told of the lock of a single browser, too: of the one that lasts longest. */
  async noteLock({ subject, generation }: Partial<CountedAt>, seconds: number): Promise<void> {
    if (subject === undefined || generation === undefined) return;
    const note = { add: 1, to: noteOf(subject, generation), ttlSeconds: seconds };
    if ((await this.cache.ttl(note.to)) < seconds) await this.cache.count({ drop: note.to }, note);
  }

  /** Where the lock of a browser of each is noted, in their order. */
  async notesOf(subjects: readonly string[]): Promise<{ subject: string; note: string }[]> {
    const generations = await this.cache.count(...subjects.map((subject) => ({ read: generationOf(subject) })));
    return subjects.map((subject, place) => ({ subject, note: noteOf(subject, generations[place]) }));
  }
}

/** Only what failed stays counted under the ceiling. */
export const underCeiling = ({ subject, device }: GuessedAt): CounterStep[] =>
  device === undefined ? [] : [{ add: -1, to: ceilingOf(subject), ttlSeconds: PENDING_SECONDS }];

/** Ends all that was counted for the browsers. It is not looked for: nobody asks for it in a new generation. */
export const forgetting = (subject: string): CounterStep[] => [
  { drop: ceilingOf(subject) },
  { drop: generationOf(subject) },
  { add: newGeneration(), to: generationOf(subject), ttlSeconds: GENERATION_SECONDS },
];

const ceilingOf = (subject: string): string => `lockout:ceiling:${sha256(subject)}`;
const noteOf = (subject: string, generation = 0): string => `lockout:devices:${sha256(`${subject}|${generation}`)}`;
const generationOf = (subject: string): string => `lockout:generation:${sha256(subject)}`;
/** Never one there was: counted up, it would start anew when it is forgotten. */
const newGeneration = (): number => 1 + Number(randomDigits(GENERATION_DIGITS));
