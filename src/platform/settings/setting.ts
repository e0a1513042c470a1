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
  readonly fallback: T;
  /** What stands in for `fallback` on a machine for trying and developing. */
  readonly fallbackOutsideProduction?: T;
  readonly kind: SettingKind<T>;
  /** Write-only: sealed at rest, never in an answer. */
  readonly secret?: boolean;
  /** Listed for anybody who is logged in; others only for a holder of `setting:read`. */
  readonly public?: boolean;
  /** Changing it also needs a recent login. */
  readonly sensitive?: boolean;
}

export interface Setting<T = unknown> extends SettingDeclaration<T> {
  readonly category: string;
}

const declared = new Map<string, Setting>();

/** Declares a run-time setting where it is read. Two declarations of one key are a defect and throw. */
export function defineSetting<T>(declaration: SettingDeclaration<T>): Setting<T> {
  if (declared.has(declaration.key)) throw new Error(`Setting ${declaration.key} is declared twice`);
  const category = declaration.key.slice(0, declaration.key.indexOf('.'));
  const setting: Setting<T> = Object.freeze({ ...declaration, category });
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

/** A value that was in force until somebody changed it. */
export interface FormerValue<T> {
  readonly value: T;
  readonly until: Date;
}

/** Reads a setting's value in force: at most one second after a change made elsewhere, at once after one made here. */
export abstract class SettingsReader {
  abstract get<T>(setting: Setting<T>): Promise<T>;

  /** The value, where it can be told without a wait; undefined where it has to be asked for. */
  current<T>(_setting: Setting<T>): T | undefined {
    return undefined;
  }

  /** A value in force within the last minute, for whoever cannot wait; undefined where none was seen. */
  lastKnown<T>(_setting: Setting<T>): T | undefined {
    return undefined;
  }

  /** The values of the last 400 days that are in force no more, latest first, 20 at most. */
  async former<T>(_setting: Setting<T>): Promise<readonly FormerValue<T>[]> {
    return [];
  }

  /** As `former`, where it can be told without a wait; undefined where it has to be asked for. */
  currentFormer<T>(_setting: Setting<T>): readonly FormerValue<T>[] | undefined {
    return undefined;
  }

  /** Believes nothing read before: for a request that speaks of a change which this instance may not have seen. */
  reload(): void {
    // A reader that remembers nothing has nothing to forget.
  }
}
