import { isTime } from '../platform/http/input';
import { Option, Typed } from './command';

type More = Pick<Option, 'isRequired' | 'isList' | 'field'>;

const MAX_LIMIT = 100;

export const flag = (summary: string): Option => ({ summary });

export const textOption = (value: string, summary: string, more: More = {}): Option => ({ value, summary, ...more });

export const choiceOption = (choices: readonly string[], summary: string, more: More = {}): Option => ({
  value: choices.join('|'),
  choices,
  summary,
  rule: (text) => (choices.includes(text) ? undefined : `must be one of ${choices.join(', ')}`),
  ...more,
});

export const integerOption = (
  value: string,
  { min, max }: { readonly min: number; readonly max: number },
  summary: string,
  more: More = {},
): Option => ({
  value,
  summary,
  rule: (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max
      ? undefined
      : `must be a whole number from ${min} to ${max}`,
  ...more,
});

export const timeOption = (summary: string): Option => ({
  value: 'TIME',
  summary,
  rule: (text) => (isTime(text) ? undefined : 'must be a date and time with an offset, such as 2026-03-01T08:00:00Z'),
});

export const jsonOption = flag('Print JSON');
export const yesOption = flag('Do not ask for confirmation');

/** The options of a list, which is never printed without a bound. */
export const listOptions = {
  limit: integerOption('N', { min: 1, max: MAX_LIMIT }, `Print at most N, up to ${MAX_LIMIT}. Default: 20`, {
    field: 'page_size',
  }),
  cursor: textOption('CURSOR', 'Continue after a list, with the cursor at its end'),
} as const;

/** The text of an option. */
export function textOf({ options }: Pick<Typed, 'options'>, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The texts of an option that may be repeated. Undefined if it is not given. */
export function listOf({ options }: Pick<Typed, 'options'>, name: string): readonly string[] | undefined {
  const value = options[name];
  return typeof value === 'object' ? value : undefined;
}

/** Whether a flag is given. */
export const isGiven = ({ options }: Pick<Typed, 'options'>, name: string): boolean => options[name] === true;
