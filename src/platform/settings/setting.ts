import type { Language } from '../i18n';
import { MaybePromise } from '../util';

export type SettingType = 'boolean' | 'integer' | 'text' | 'text_list' | 'choice';

/** The type of a setting: its editor, and the parser that validates input. */
export interface SettingKind<T> {
  readonly type: SettingType;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly options?: readonly string[];
  /** Returns the value, or the code of the violated rule. */
  parse(input: unknown): { value: T } | { violation: string };
}

/** What administrators read about a setting, in each language. */
export interface SettingTexts {
  readonly title: Readonly<Record<Language, string>>;
  readonly description: Readonly<Record<Language, string>>;
}

/** Who may change a setting: state one of the two, `sensitive: false` if neither applies. */
export type SettingClass =
  | { readonly sensitive: boolean; readonly guarded?: boolean }
  | { readonly guarded: true; readonly sensitive?: boolean };

interface SettingFacts<T> {
  /** `category.name`, snake case; also the key of its title and description in `i18n/<language>/settings.json`. */
  readonly key: string;
  readonly defaultValue: T;
  /** Default outside production. */
  readonly defaultOutsideProduction?: T;
  readonly kind: SettingKind<T>;
  /** Write-only: sealed at rest and never in a response. */
  readonly secret?: boolean;
  /** Readable by any logged-in user; other settings require `setting:read`. */
  readonly public?: boolean;
  /** A change also requires a recent login. */
  readonly sensitive?: boolean;
  /**
   * A value could give away sessions, permissions or codes of other users, or let one user be identified as another. A
   * change requires full authority (`*:*` at level 7 in every scope) and a recent login besides `setting:update`.
   */
  readonly guarded?: boolean;
  /** For settings of a host, instead of `i18n`. Without them, the console shows the key. */
  readonly texts?: SettingTexts;
}

export type SettingDeclaration<T> = SettingFacts<T> & SettingClass;

export interface Setting<T = unknown> extends SettingFacts<T> {
  readonly category: string;
}

const declared = new Map<string, Setting>();

const KEY = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){1,2}$/;

function rejectDefault<T>({ key, kind }: SettingFacts<T>, name: string, value: T): void {
  const parsed = kind.parse(value);
  if ('value' in parsed) return;
  throw new Error(`The ${name} of setting "${key}" violates ${parsed.violation} of its kind: use a valid one`);
}

/**
 * Declares a run-time setting in the feature that reads it. Throws for a duplicate key, a malformed key, or an invalid
 * default.
 */
export function defineSetting<T>(declaration: SettingDeclaration<T>): Setting<T> {
  const { key, defaultValue, defaultOutsideProduction } = declaration;
  if (!KEY.test(key)) {
    throw new Error(`The key "${key}" of a setting is neither category.name nor category.group.name in snake case`);
  }
  if (declared.has(key)) throw new Error(`Setting ${key} is declared twice`);
  rejectDefault(declaration, 'default', defaultValue);
  if (defaultOutsideProduction !== undefined) {
    rejectDefault(declaration, 'defaultOutsideProduction', defaultOutsideProduction);
  }
  const category = key.slice(0, key.indexOf('.'));
  const sensitive = declaration.sensitive ?? declaration.guarded;
  const setting: Setting<T> = Object.freeze({ ...declaration, category, sensitive });
  declared.set(setting.key, setting);
  return setting;
}

/** Every setting declared by the modules loaded so far. */
export function declaredSettings(): readonly Setting[] {
  return [...declared.values()];
}

export function findSetting(key: string): Setting | undefined {
  return declared.get(key);
}

/** An effective value that a later change replaced. */
export interface PreviousValue<T> {
  readonly value: T;
  readonly until: Date;
}

/** Reads the effective value of a setting. Changes apply at once in this instance, and within a second in others. */
export abstract class SettingsReader {
  /** Returns a promise only if the settings are not loaded. */
  abstract get<T>(setting: Setting<T>): MaybePromise<T>;

  /**
   * Returns the cached value, at most a minute old, for callers that must not wait for the database; undefined before
   * the first load.
   */
  getCached<T>(_setting: Setting<T>): T | undefined {
    return undefined;
  }

  /** Returns replaced effective values of the last 400 days, latest first, at most 20. */
  history<T>(_setting: Setting<T>): MaybePromise<readonly PreviousValue<T>[]> {
    return [];
  }

  /** Drops the cache, for a request that refers to a change that this instance may not have seen. */
  reload(): void {
    // A reader without a cache has nothing to drop.
  }
}
