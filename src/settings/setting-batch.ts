import { FieldProblem, ProblemParams } from '../platform/errors';
import { findSetting, SettingsDraft, Setting, SettingViolation } from '../platform/settings';

/** One requested change, not validated yet. */
export interface RequestedUpdate {
  readonly key: string;
  /** null resets the setting to its default. */
  readonly value: unknown;
  /** The version that the caller saw when choosing the value. */
  readonly version?: number | undefined;
}

/** A change whose value the setting's kind accepts. */
export interface EvaluatedUpdate {
  readonly index: number;
  readonly setting: Setting;
  /** null resets the setting to its default. */
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

function limitsOf({ kind: { type, minimum, maximum, options } }: Setting): ProblemParams {
  return {
    type,
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
    ...(options && { options: options.join(', ') }),
  };
}

export interface BatchRules {
  /** Keys that the caller may not change. Only the denial is reported for them, no other problem. */
  readonly denied: ReadonlySet<string>;
  readonly versionOf: (key: string) => number;
}

/** Validates each change on its own: authority, key, version, type and range. */
export function evaluateBatch(updates: readonly RequestedUpdate[], { denied, versionOf }: BatchRules): EvaluatedBatch {
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
 * @param effective reads the effective stored value.
 * @param defaultOf reads the effective value when nothing is stored.
 */
export function proposalOf(
  accepted: readonly EvaluatedUpdate[],
  { effective, defaultOf }: Record<'effective' | 'defaultOf', <T>(setting: Setting<T>) => T>,
  { isRollback }: Pick<SettingsDraft, 'isRollback'>,
): SettingsDraft {
  const named = new Map(accepted.map(({ setting, value }) => [setting.key, value ?? defaultOf(setting)]));
  const isNamed = ({ key }: Setting): boolean => named.has(key);
  return {
    get: <T>(setting: Setting<T>) => (named.has(setting.key) ? (named.get(setting.key) as T) : effective(setting)),
    isNamed,
    isChanged: (setting) =>
      isNamed(setting) && JSON.stringify(named.get(setting.key)) !== JSON.stringify(effective(setting)),
    before: effective,
    isRollback,
  };
}

/**
 * Reports the violation on its setting when the batch names that setting, otherwise on the first one the validator
 * watches.
 */
export function violationProblem(
  { setting, code, params }: SettingViolation,
  accepted: readonly EvaluatedUpdate[],
  watches: readonly Setting[],
): FieldProblem {
  const isAbout = (settings: readonly Setting[]) => (update: EvaluatedUpdate) =>
    settings.some(({ key }) => key === update.setting.key);
  const found = accepted.find(isAbout([setting])) ?? accepted.find(isAbout(watches));
  return problem(found?.index ?? 0, 'value', code, params);
}
