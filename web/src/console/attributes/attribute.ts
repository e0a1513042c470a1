import type { components } from '../../api/schema';
import { $api } from '../api';
import { orNull } from '../hooks/changes';
import { invalidateLists } from '../query-client';

export type Attribute = components['schemas']['AttributeDto'];
type Input = components['schemas']['ChangeAttributeDto'];

export const types = [
  'text',
  'number',
  'boolean',
  'date',
  'choice',
  'text_list',
] as const satisfies Attribute['type'][];
export const owners = ['none', 'read', 'write'] as const satisfies Attribute['owner'][];
export const requiredAt = ['no', 'registration', 'login'] as const satisfies Attribute['required'][];
export const sources = ['local', 'directory'] as const satisfies Attribute['source'][];

/** The pages of users have a list, too, for those who may not define attributes. */
export async function reloadAttributes(): Promise<void> {
  const lists = [$api.queryOptions('get', '/api/attribute'), $api.queryOptions('get', '/api/user/attribute')];
  await Promise.all(lists.map(({ queryKey }) => invalidateLists(queryKey)));
}

/** The form, as it is typed. */
export interface AttributeForm extends Pick<
  Attribute,
  'type' | 'label' | 'description' | 'owner' | 'required' | 'unique' | 'searchable' | 'source'
> {
  readonly choices: readonly string[];
  readonly min: string;
  readonly max: string;
  readonly max_length: string;
  readonly pattern: string;
}

export const blankForm: AttributeForm = {
  type: 'text',
  label: { en: '', zh: '' },
  description: { en: '', zh: '' },
  choices: [],
  min: '',
  max: '',
  max_length: '',
  pattern: '',
  owner: 'none',
  required: 'no',
  unique: false,
  searchable: false,
  source: 'local',
};

const SEPARATOR = '|';

/** One line for an option: the value, or the value and its names in English and Chinese. */
const lineOf = ({ value, label }: NonNullable<Attribute['choices']>[number]): string =>
  label ? [value, label.en, label.zh].join(` ${SEPARATOR} `) : value;

function optionOf(line: string): unknown {
  const [value = '', en, zh = en] = line.split(SEPARATOR).map((part) => part.trim());
  return en === undefined ? value : { value, label: { en, zh } };
}

export function formOf(attribute: Attribute): AttributeForm {
  const { type, label, description, owner, required, unique, searchable, source } = attribute;
  const [min, max, max_length] = [attribute.min, attribute.max, attribute.max_length].map((limit) =>
    String(limit ?? ''),
  ) as [string, string, string];
  return {
    ...{ type, label, description, owner, required, unique, searchable, source },
    ...{ min, max, max_length },
    choices: (attribute.choices ?? []).map(lineOf),
    pattern: attribute.pattern ?? '',
  };
}

/** A limit to send. What is no number of JSON stays text, so that the service explains the error. */
function numberOf(text: string): string | number | null {
  const typed = text.trim();
  return typed !== '' && Number.isFinite(Number(typed)) ? Number(typed) : orNull(typed);
}

export const hasRange = ({ type }: AttributeForm): boolean => type === 'number' || type === 'date';
export const hasLength = ({ type }: AttributeForm): boolean => type === 'text' || type === 'text_list';

function limitsOf(form: AttributeForm): Pick<Input, 'min' | 'max' | 'max_length' | 'pattern' | 'choices'> {
  if (form.type === 'choice') return { choices: form.choices.map(optionOf) };
  if (form.type === 'date') return { min: orNull(form.min), max: orNull(form.max) };
  if (hasRange(form)) return { min: numberOf(form.min), max: numberOf(form.max) };
  if (!hasLength(form)) return {};
  return { max_length: numberOf(form.max_length) as number | null, pattern: orNull(form.pattern) };
}

/** Request body. It has only the limits of the type. */
export function bodyOf(form: AttributeForm): Input & Required<Pick<Input, 'type' | 'label'>> {
  const { type, label, description, owner, required, unique, searchable, source } = form;
  return { type, label, description, owner, required, unique, searchable, source, ...limitsOf(form) };
}
