import { MaybePromise } from '../maybe-promise';

export type SettingType = 'boolean' | 'integer' | 'text' | 'text_list' | 'choice';

/** What a value of a setting may be: how it is shown to an editor, and the check that turns unknown input into it. */
export interface SettingKind<T> {
  readonly type: SettingType;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly options?: readonly string[];
  /** Gives the value, or the code of the rule it breaks. */
  parse(input: unknown): { value: T } | { violation: string };
}

export interface SettingDeclaration<T> {
  /** `category.name`, snake case; also the key of its description in `i18n/<language>/settings.json`. */
  readonly key: string;
  readonly defaultValue: T;
  /** What stands in for `defaultValue` on a machine for trying and developing. */
  readonly defaultOutsideProduction?: T;
  readonly kind: SettingKind<T>;
  /** Write-only: sealed at rest, never in an answer. */
  readonly secret?: boolean;
  /** Listed for anybody who is logged in; others only for a holder of `setting:read`. */
  readonly public?: boolean;
  /** Changing it also needs a recent login. */
  readonly sensitive?: boolean;
  /**
   * A value of it can hand over sessions, rights or codes of others, or change who is taken for whom: changing it needs
   * everything (`*:*` at level 7 in every scope) and a recent login besides `setting:update`.
   */
  readonly guarded?: boolean;
}

export interface Setting<T = unknown> extends SettingDeclaration<T> {
  readonly category: string;
}

const declared = new Map<string, Setting>();

const KEY = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){1,2}$/;

function rejectDefault<T>({ key, kind }: SettingDeclaration<T>, name: string, value: T): void {
  const parsed = kind.parse(value);
  if ('value' in parsed) return;
  throw new Error(`The ${name} of setting "${key}" breaks ${parsed.violation} of its own kind: give one that fits`);
}

/** Declares a run-time setting where it is read. Throws for a key in use, a malformed key, and a default that breaks its kind. */
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
  const sensitive = declaration.sensitive ?? declaration.guarded ?? false;
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

/** Reads a setting's value in force: at most one second after a change made elsewhere, at once after one made here. */
export abstract class SettingsReader {
  /** A promise only where the settings have to be loaded first. */
  abstract get<T>(setting: Setting<T>): MaybePromise<T>;

  /** The value of the last minute, for callers that must not wait for a database; undefined before the first load. */
  getCached<T>(_setting: Setting<T>): T | undefined {
    return undefined;
  }

  /** The effective values of the last 400 days that were replaced, latest first, at most 20. */
  history<T>(_setting: Setting<T>): MaybePromise<readonly PreviousValue<T>[]> {
    return [];
  }

  /** Drops what is cached: for a request that refers to a change which this instance may not have seen yet. */
  reload(): void {
    // A reader without a cache has nothing to drop.
  }
}
