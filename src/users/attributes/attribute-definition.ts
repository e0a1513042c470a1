import { FieldProblem, platformErrors } from '../../platform/errors';
import { codePointLength, isJsonObject, isStorable } from '../../platform/util';
import { compiled, DEFAULT_MAX_LENGTH, isDate } from './attribute-value';
import {
  Attribute,
  AttributeChoice,
  AttributeRules,
  AttributeSource,
  AttributeTexts,
  AttributeType,
  hasKeys,
  OwnerRight,
  RequiredAt,
} from './attribute.entity';

export const MAX_CHOICES = 100;
export const MAX_PATTERN = 200;
/** For values that are unique or searchable, in code points: they are part of an index. */
export const MAX_KEY_LENGTH = DEFAULT_MAX_LENGTH;
const MAX_CHOICE = 100;
/** Fields that users have anyway. */
const RESERVED: ReadonlySet<string> = new Set(['username', 'nickname', 'email', 'phone', 'locale']);
const NO_TEXTS: AttributeTexts = { en: '', zh: '' };

/** A definition as it is given. Members that are left out stay as they are. */
export interface AttributeInput {
  readonly type?: AttributeType;
  readonly label?: AttributeTexts;
  readonly description?: AttributeTexts;
  readonly choices?: unknown;
  readonly min?: unknown;
  readonly max?: unknown;
  readonly max_length?: number | null;
  readonly pattern?: string | null;
  readonly owner?: OwnerRight;
  readonly required?: RequiredAt;
  readonly unique?: boolean;
  readonly searchable?: boolean;
  readonly source?: AttributeSource;
  readonly position?: number;
}

export type NewAttributeInput = AttributeInput &
  Required<Pick<AttributeInput, 'type' | 'label'>> & { readonly name: string };

/** Throws `validation_failed`. */
export function newAttribute(input: NewAttributeInput, position: number): Attribute {
  if (RESERVED.has(input.name)) reject([{ field: 'name', code: 'attribute_reserved' }]);
  const { name, type, label } = input;
  const blank: Attribute = {
    name,
    type,
    label,
    description: NO_TEXTS,
    rules: {},
    owner: 'none',
    required: 'no',
    unique: false,
    searchable: false,
    source: 'local',
    position,
    indexedTo: null,
    deletedAt: null,
  };
  return changedAttribute(blank, input);
}

/** The definition after the change. Limits of a former type go with it. Throws `validation_failed`. */
export function changedAttribute(before: Attribute, input: AttributeInput): Attribute {
  const { type = before.type, label = before.label, description = before.description } = input;
  const { owner = before.owner, required = before.required, source = before.source } = input;
  const { unique = before.unique, searchable = before.searchable, position = before.position } = input;
  const kept = type === before.type ? before.rules : {};
  const reader = new RulesReader(type, input, kept);
  const rules = reader.read();
  const after: Attribute = {
    ...before,
    ...{
      type,
      label: plain(label),
      description: plain(description),
      rules,
      owner,
      required,
      unique,
      searchable,
      source,
    },
    position,
  };
  reject([...reader.problems, ...contradictions(after)]);
  return after;
}

const plain = ({ en, zh }: AttributeTexts): AttributeTexts => ({ en, zh });

function contradictions(after: Attribute): FieldProblem[] {
  const { type, rules, owner, required, unique, source } = after;
  const isLong = (rules.maxLength ?? 0) > MAX_KEY_LENGTH;
  return [
    ...(required !== 'no' && owner !== 'write' ? [{ field: 'required', code: 'attribute_owner_writes' }] : []),
    ...(source === 'directory' && owner === 'write' ? [{ field: 'owner', code: 'attribute_of_directory' }] : []),
    ...(unique && type === 'boolean' ? [{ field: 'unique', code: 'attribute_unique_type' }] : []),
    ...(hasKeys(after) && isLong ? [{ field: 'max_length', code: 'max', params: { max: MAX_KEY_LENGTH } }] : []),
  ];
}

const LIMITS_OF: Readonly<Record<AttributeType, readonly (keyof AttributeInput)[]>> = {
  text: ['max_length', 'pattern'],
  text_list: ['max_length', 'pattern'],
  number: ['min', 'max'],
  date: ['min', 'max'],
  choice: ['choices'],
  boolean: [],
};

/** Reads the limits of a type, and collects what is wrong with them. */
class RulesReader {
  readonly problems: FieldProblem[] = [];

  constructor(
    private readonly type: AttributeType,
    private readonly input: AttributeInput,
    private readonly kept: AttributeRules,
  ) {}

  read(): AttributeRules {
    const allowed = LIMITS_OF[this.type];
    const limits = ['max_length', 'pattern', 'min', 'max', 'choices'] as const;
    for (const name of limits) {
      const isGiven = this.input[name] !== undefined && this.input[name] !== null;
      if (isGiven && !allowed.includes(name)) this.problems.push({ field: name, code: 'attribute_limit' });
    }
    const has = (name: keyof AttributeInput): boolean => allowed.includes(name);
    const rules = {
      ...(has('max_length') && { maxLength: this.given('max_length', 'maxLength') as number | undefined }),
      ...(has('pattern') && { pattern: this.pattern() }),
      ...(has('min') && { min: this.bound('min'), max: this.bound('max') }),
      ...(has('choices') && { choices: this.choices() }),
    };
    this.rejectEmptyRange(rules);
    return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined)) as AttributeRules;
  }

  /** The given limit, or the kept one; null removes it. */
  private given(name: 'max_length' | 'pattern' | 'min' | 'max', kept: keyof AttributeRules): unknown {
    const value = this.input[name];
    return value === undefined ? this.kept[kept] : (value ?? undefined);
  }

  private pattern(): string | undefined {
    const pattern = this.given('pattern', 'pattern') as string | undefined;
    if (pattern === undefined) return undefined;
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
    if (min !== undefined && max !== undefined && min > max)
      this.problems.push({ field: 'max', code: 'min', params: { min } });
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
    if (choices.length > MAX_CHOICES)
      this.problems.push({ field: 'choices', code: 'max_items', params: { max: MAX_CHOICES } });
    const read = choices.slice(0, MAX_CHOICES).map((choice, index) => this.choice(choice, `choices[${index}]`));
    const values = new Set(read.map(({ value }) => value));
    if (values.size < read.length) this.problems.push({ field: 'choices', code: 'unique' });
    return read;
  }

  private choice(given: unknown, field: string): AttributeChoice {
    const { value, label = null } = isJsonObject(given) ? given : { value: given };
    if (!isShortText(value) || value.trim() !== value) this.problems.push({ field, code: 'attribute_choice' });
    if (label !== null && !isTexts(label)) this.problems.push({ field: `${field}.label`, code: 'attribute_label' });
    return { value: String(value), label: label === null ? null : plain(label as AttributeTexts) };
  }
}

const isShortText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && isStorable(value) && codePointLength(value) <= MAX_CHOICE;

const isTexts = (label: unknown): label is AttributeTexts =>
  isJsonObject(label) && isShortText(label['en']) && isShortText(label['zh']);

function reject(fields: readonly FieldProblem[]): void {
  if (fields.length > 0) throw platformErrors.validationFailed({ fields });
}
