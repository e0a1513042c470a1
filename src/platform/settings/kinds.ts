import { hasControls, isLongerThan, isStorable } from '../util';
import { SettingKind } from './setting';

const wrongType = { violation: 'type' } as const;

export const boolean: SettingKind<boolean> = {
  type: 'boolean',
  parse: (input) => (typeof input === 'boolean' ? { value: input } : wrongType),
};

/** Whole numbers within inclusive bounds. */
export function integer(bounds: { minimum: number; maximum: number }): SettingKind<number> {
  return {
    type: 'integer',
    ...bounds,
    parse(input) {
      if (typeof input !== 'number' || !Number.isSafeInteger(input)) return wrongType;
      if (input < bounds.minimum) return { violation: 'min' };
      return input > bounds.maximum ? { violation: 'max' } : { value: input };
    },
  };
}

/** Returns the code of the violated rule. */
export type TextCheck = (value: string) => string | undefined;

/** Text of at most `maximum` characters, with line breaks and control characters allowed, such as a secret. */
export function multilineText(maximum: number, check: TextCheck = () => undefined): SettingKind<string> {
  return {
    type: 'text',
    maximum,
    parse(input) {
      if (typeof input !== 'string') return wrongType;
      if (!isStorable(input)) return { violation: 'well_formed' };
      if (isLongerThan(input, maximum)) return { violation: 'max_length' };
      const violation = check(input);
      return violation === undefined ? { value: input } : { violation };
    },
  };
}

const onOneLine =
  (check: TextCheck): TextCheck =>
  (value) =>
    check(value) ?? (hasControls(value) ? 'no_control_characters' : undefined);

/** One line of at most `maximum` characters; `check` returns the code of the violated rule. */
export function text(maximum: number, check: TextCheck = () => undefined): SettingKind<string> {
  return multilineText(maximum, onOneLine(check));
}

/** A list of distinct texts of one line, each passing `check`. */
export function textList(maximum: number, check: TextCheck): SettingKind<readonly string[]> {
  return {
    type: 'text_list',
    maximum,
    parse(input) {
      if (!Array.isArray(input) || !input.every((entry): entry is string => typeof entry === 'string')) {
        return wrongType;
      }
      if (!input.every(isStorable)) return { violation: 'well_formed' };
      if (input.length > maximum) return { violation: 'max_items' };
      if (new Set(input).size !== input.length) return { violation: 'unique' };
      const violation = input.map(onOneLine(check)).find((found) => found !== undefined);
      return violation === undefined ? { value: input } : { violation };
    },
  };
}

export function choice<const T extends string>(options: readonly T[]): SettingKind<T> {
  return {
    type: 'choice',
    options,
    parse(input) {
      const found = options.find((option) => option === input);
      return found === undefined ? { violation: 'one_of' } : { value: found };
    },
  };
}
