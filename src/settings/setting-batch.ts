import { FieldProblem, ProblemParams } from '../platform/errors';
import { findSetting, ProposedSettings, Setting, SettingObjection } from '../platform/settings';

/** One change as it was asked for, not yet judged. */
export interface AskedUpdate {
  readonly key: string;
  /** null: back to the default. */
  readonly value: unknown;
  /** The version that the value was chosen against. */
  readonly version?: number | undefined;
}

/** A change that the setting itself accepts. */
export interface JudgedUpdate {
  readonly index: number;
  readonly setting: Setting;
  /** null: back to the default. */
  readonly value: unknown;
}

export interface JudgedBatch {
  readonly accepted: readonly JudgedUpdate[];
  readonly problems: readonly FieldProblem[];
}

const problem = (index: number, member: string, code: string, params?: ProblemParams): FieldProblem => ({
  field: `updates[${index}].${member}`,
  code,
  ...(params && { params }),
});

function limitsOf({ kind: { minimum, maximum, options } }: Setting): ProblemParams {
  return {
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
    ...(options && { options: options.join(', ') }),
  };
}

/** Judges each change by itself: key, version, type and range. */
export function judgeBatch(updates: readonly AskedUpdate[], versionOf: (key: string) => number): JudgedBatch {
  const accepted: JudgedUpdate[] = [];
  const problems: FieldProblem[] = [];
  updates.forEach(({ key, value, version }, index) => {
    const setting = findSetting(key);
    if (!setting) {
      problems.push(problem(index, 'key', 'unknown_setting'));
      return;
    }
    if (updates.findIndex((other) => other.key === key) < index) problems.push(problem(index, 'key', 'given_twice'));
    if (version !== undefined && version !== versionOf(key)) {
      problems.push(problem(index, 'version', 'version_conflict', { version: versionOf(key) }));
    }
    const parsed = value === null ? { value: null } : setting.kind.parse(value);
    if ('value' in parsed) accepted.push({ index, setting, value: parsed.value });
    else problems.push(problem(index, 'value', parsed.violation, limitsOf(setting)));
  });
  return { accepted, problems };
}

/** @param inForce reads what is stored now. */
export function proposalOf(
  accepted: readonly JudgedUpdate[],
  inForce: <T>(setting: Setting<T>) => T,
  { changedBy, isRollback }: Pick<ProposedSettings, 'changedBy' | 'isRollback'>,
): ProposedSettings {
  const named = new Map(accepted.map(({ setting, value }) => [setting.key, value ?? setting.fallback]));
  const isNamed = ({ key }: Setting): boolean => named.has(key);
  return {
    get: <T>(setting: Setting<T>) => (named.has(setting.key) ? (named.get(setting.key) as T) : inForce(setting)),
    isNamed,
    isChanged: (setting) =>
      isNamed(setting) && JSON.stringify(named.get(setting.key)) !== JSON.stringify(inForce(setting)),
    before: inForce,
    isRollback,
    changedBy,
  };
}

/** On the objectionable setting where the batch names it, else on the first that the rule watches. */
export function objectionProblem(
  { setting, code, params }: SettingObjection,
  accepted: readonly JudgedUpdate[],
  watches: readonly Setting[],
): FieldProblem {
  const isAbout = (settings: readonly Setting[]) => (update: JudgedUpdate) =>
    settings.some(({ key }) => key === update.setting.key);
  const found = accepted.find(isAbout([setting])) ?? accepted.find(isAbout(watches));
  return problem(found?.index ?? 0, 'value', code, params);
}
