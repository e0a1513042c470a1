import { FieldProblem } from '../../../platform/errors';
import { isStorable } from '../../../platform/util';
import { ClaimMapping, NO_CLAIMS, ProviderField, ProviderPreset } from './preset';

const STEP = '[A-Za-z0-9_-]{1,64}';
const PATH = `${STEP}(\\.${STEP}){0,5}`;
const CLAIM = new RegExp(`^${PATH}(\\|${PATH}){0,4}$`);
const MAX_PARAMETER = 4_000;

/** The valid values of a body, and the problems with the others. */
export interface Validated<T> {
  readonly value: T;
  readonly problems: readonly FieldProblem[];
}

/** Every name must be a profile claim. null means none, except for the subject. */
export function validateMapping(given: Record<string, unknown>): Validated<Partial<ClaimMapping>> {
  const problems = Object.entries(given).flatMap(([name, value]): FieldProblem[] => {
    const at = { field: `mapping.${name}` };
    if (!Object.hasOwn(NO_CLAIMS, name)) return [{ ...at, code: 'unknown_field' }];
    if (value === null && name !== 'subject') return [];
    return typeof value === 'string' && CLAIM.test(value) ? [] : [{ ...at, code: 'claim_path' }];
  });
  return { value: given, problems };
}

/** Validates the fields of the preset. Empty values are dropped. */
export function validateParameters(
  given: Record<string, unknown>,
  { fields }: ProviderPreset,
): Validated<Record<string, string>> {
  const strangers = Object.keys(given).filter((name) => !fields.some((known) => known.name === name));
  const problems = [
    ...strangers.map((name) => ({ field: `params.${name}`, code: 'unknown_field' })),
    ...fields.flatMap((field) => {
      const code = violationOf(field, given[field.name] ?? '');
      return code === undefined ? [] : [{ field: `params.${field.name}`, code }];
    }),
  ];
  const filled = fields.flatMap(({ name }) => {
    const text = given[name];
    return typeof text === 'string' && text !== '' ? [[name, text]] : [];
  });
  return { value: Object.fromEntries(filled) as Record<string, string>, problems };
}

function violationOf({ required, pattern }: ProviderField, text: unknown): string | undefined {
  if (typeof text !== 'string') return 'type_text';
  if (text === '') return required ? 'required' : undefined;
  const isFit = text.length <= MAX_PARAMETER && isStorable(text) && pattern.test(text);
  return isFit ? undefined : 'provider_parameter';
}
