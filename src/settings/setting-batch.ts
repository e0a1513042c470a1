import { FieldProblem, ProblemParams } from '../platform/errors';
import { findSetting, SettingsDraft, Setting, SettingViolation } from '../platform/settings';

/** One change as it was asked for, not yet judged. */
export interface AskedUpdate {
  readonly key: string;
  /** null: back to the default. */
  readonly value: unknown;
  /** The version that the value was chosen against. */
  readonly version?: number | undefined;
}

/** A change that the setting itself accepts. */
export interface EvaluatedUpdate {
  readonly index: number;
  readonly setting: Setting;
  /** null: back to the default. */
  readonly value: unknown;
}

export interface EvaluatedBatch {
  readonly accepted: readonly EvaluatedUpdate[];
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

export interface BatchRules {
  /** Keys that the caller may not change: of those nothing but that is said. */
  readonly denied: ReadonlySet<string>;
  readonly versionOf: (key: string) => number;
}

/** Judges each change by itself: authority, key, version, type and range. */
export function evaluateBatch(updates: readonly AskedUpdate[], { denied, versionOf }: BatchRules): EvaluatedBatch {
  const accepted: EvaluatedUpdate[] = [];
  const problems: FieldProblem[] = [];
  updates.forEach(({ key, value, version }, index) => {
    const setting = findSetting(key);
    if (!setting) {
      problems.push(problem(index, 'key', 'unknown_setting'));
      return;
    }
    if (denied.has(key)) {
      problems.push(problem(index, 'value', 'escalation_denied'));
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

/**
 * @param inForce reads what is stored now.
 * @param defaultOf reads what is in force where nothing is stored.
 */
export function proposalOf(
  accepted: readonly EvaluatedUpdate[],
  { inForce, defaultOf }: Record<'inForce' | 'defaultOf', <T>(setting: Setting<T>) => T>,
  { isRollback }: Pick<SettingsDraft, 'isRollback'>,
): SettingsDraft {
  const named = new Map(accepted.map(({ setting, value }) => [setting.key, value ?? defaultOf(setting)]));
  const isNamed = ({ key }: Setting): boolean => named.has(key);
  return {
    get: <T>(setting: Setting<T>) => (named.has(setting.key) ? (named.get(setting.key) as T) : inForce(setting)),
    isNamed,
    isChanged: (setting) =>
      isNamed(setting) && JSON.stringify(named.get(setting.key)) !== JSON.stringify(inForce(setting)),
    before: inForce,
    isRollback,
  };
}

/** On the objectionable setting where the batch names it, else on the first that the rule watches. */
export function objectionProblem(
  { setting, code, params }: SettingViolation,
  accepted: readonly EvaluatedUpdate[],
  watches: readonly Setting[],
): FieldProblem {
  const isAbout = (settings: readonly Setting[]) => (update: EvaluatedUpdate) =>
    settings.some(({ key }) => key === update.setting.key);
  const found = accepted.find(isAbout([setting])) ?? accepted.find(isAbout(watches));
  return problem(found?.index ?? 0, 'value', code, params);
}
