import { FieldProblem } from '../../platform/errors';
import { codePointLength, isJsonObject, isStorable, presentMembers } from '../../platform/util';
import { compiled, isDate } from './attribute-value';
import { AttributeChoice, AttributeRules, AttributeTexts, AttributeType } from './attribute.entity';

export const MAX_CHOICES = 100;
const MAX_CHOICE = 100;

/** The limits of a definition as they are given. null removes one. */
export interface LimitsInput {
  readonly choices?: unknown;
  readonly min?: unknown;
  readonly max?: unknown;
  readonly max_length?: number | null;
  readonly pattern?: string | null;
}

const LIMITS_OF: Readonly<Record<AttributeType, readonly (keyof LimitsInput)[]>> = {
  text: ['max_length', 'pattern'],
  text_list: ['max_length', 'pattern'],
  number: ['min', 'max'],
  date: ['min', 'max'],
  choice: ['choices'],
  boolean: [],
};

/** Reads the limits of a type, and collects what is wrong with them. */
export class RulesReader {
  readonly problems: FieldProblem[] = [];

  constructor(
    private readonly type: AttributeType,
    private readonly input: LimitsInput,
    private readonly kept: AttributeRules,
  ) {}

  read(): AttributeRules {
    const allowed = LIMITS_OF[this.type];
    const limits = ['max_length', 'pattern', 'min', 'max', 'choices'] as const;
    for (const name of limits) {
      const isGiven = this.input[name] !== undefined && this.input[name] !== null;
      if (isGiven && !allowed.includes(name)) this.problems.push({ field: name, code: 'attribute_limit' });
    }
    const has = (name: keyof LimitsInput): boolean => allowed.includes(name);
    const rules = {
      ...(has('max_length') && { maxLength: this.given('max_length', 'maxLength') as number | undefined }),
      ...(has('pattern') && { pattern: this.pattern() }),
      ...(has('min') && { min: this.bound('min'), max: this.bound('max') }),
      ...(has('choices') && { choices: this.choices() }),
    };
    this.rejectEmptyRange(rules);
    return presentMembers(rules);
  }

  /** The given limit, or the kept one; null removes it. */
  private given(name: 'max_length' | 'pattern' | 'min' | 'max', kept: keyof AttributeRules): unknown {
    const value = this.input[name];
    return value === undefined ? this.kept[kept] : (value ?? undefined);
  }

  private pattern(): string | undefined {
    const pattern = this.given('pattern', 'pattern') as string | undefined;
    if (!pattern) return undefined;
    try {
      compiled(pattern);
    } catch {
      this.problems.push({ field: 'pattern', code: 'attribute_pattern' });
    }
    return pattern;
  }

  private bound(name: 'min' | 'max'): number | string | undefined {
    const value = this.given(name, name);
    if (value === undefined) return undefined;
    const isRight = this.type === 'number' ? typeof value === 'number' && Number.isFinite(value) : isDate(value);
    if (isRight) return value as number | string;
    this.problems.push({ field: name, code: this.type === 'number' ? 'type_number' : 'date' });
    return undefined;
  }

  private rejectEmptyRange({
    min,
    max,
  }: {
    min?: number | string | undefined;
    max?: number | string | undefined;
  }): void {
    if (min !== undefined && max !== undefined && min > max) {
      this.problems.push({ field: 'max', code: 'min', params: { min } });
    }
  }

  private choices(): readonly AttributeChoice[] | undefined {
    const { choices } = this.input;
    if (choices === undefined) {
      if (!this.kept.choices) this.problems.push({ field: 'choices', code: 'required' });
      return this.kept.choices;
    }
    if (!Array.isArray(choices)) {
      this.problems.push({ field: 'choices', code: 'type_list' });
      return undefined;
    }
    if (choices.length === 0) this.problems.push({ field: 'choices', code: 'min_items', params: { min: 1 } });
    if (choices.length > MAX_CHOICES) {
      this.problems.push({ field: 'choices', code: 'max_items', params: { max: MAX_CHOICES } });
    }
    const read = choices.slice(0, MAX_CHOICES).map((choice, index) => this.choice(choice, `choices[${index}]`));
    const values = new Set(read.map(({ value }) => value));
    if (values.size < read.length) this.problems.push({ field: 'choices', code: 'unique' });
    return read;
  }

  private choice(given: unknown, field: string): AttributeChoice {
    const { value, label = null } = isJsonObject(given) ? given : { value: given };
    if (!isShortText(value) || value.trim() !== value) this.problems.push({ field, code: 'attribute_choice' });
    if (label !== null && !isTexts(label)) this.problems.push({ field: `${field}.label`, code: 'attribute_label' });
    return { value: String(value), label: label === null ? null : plainTexts(label as AttributeTexts) };
  }
}

const isShortText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && isStorable(value) && codePointLength(value) <= MAX_CHOICE;

const isTexts = (label: unknown): label is AttributeTexts =>
  isJsonObject(label) && isShortText(label['en']) && isShortText(label['zh']);

/** Without other members. */
export const plainTexts = ({ en, zh }: AttributeTexts): AttributeTexts => ({ en, zh });
