import type { components } from '../api/schema';
import { pageLanguage } from './language';

export type AttributeField = components['schemas']['AttributeFieldDto'];
type Value = string | number | boolean | readonly string[];
/** Values by name of the attribute. */
export type AttributeValues = Readonly<Record<string, Value>>;
/** What the user typed, by name of the attribute. */
export type TypedAttributes = Readonly<Record<string, string>>;

interface Texts {
  readonly en: string;
  readonly zh: string;
}

/** The text in the language of the page. */
export const inLanguage = (texts: Texts): string => texts[pageLanguage()];

const MEMBER = 'attributes.';

/** Name of the attribute in errors and forms. */
export const fieldName = ({ name }: Pick<AttributeField, 'name'>): string => MEMBER + name;

/** The value as text in an input. A list has one item a line. */
export function textOf(value: Value | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? value.join('\n') : String(value);
}

/** The values as texts in inputs. */
export const textsOf = (fields: readonly AttributeField[], values: AttributeValues): TypedAttributes =>
  Object.fromEntries(fields.map(({ name }) => [name, textOf(values[name])]));

/** The value to send. null: none. What is no number of JSON stays text, so that the service explains the error. */
function valueOf({ type }: AttributeField, text: string): string | number | boolean | string[] | null {
  const typed = text.trim();
  if (typed === '') return null;
  switch (type) {
    case 'number':
      return Number.isFinite(Number(typed)) ? Number(typed) : typed;
    case 'boolean':
      return typed === 'true';
    case 'text_list':
      return typed.split('\n').filter((line) => line.trim() !== '');
    default:
      return typed;
  }
}

/** The values to send, by name. null removes a value. */
export const valuesOf = (fields: readonly AttributeField[], typed: TypedAttributes): Record<string, ValueToSend> =>
  Object.fromEntries(fields.map((field) => [field.name, valueOf(field, typed[field.name] ?? '')]));

export type ValueToSend = ReturnType<typeof valueOf>;

/** The options of a choice in the language of the page. */
export const optionsOf = ({ choices }: AttributeField): { value: string; label: string }[] =>
  (choices ?? []).map(({ value, label }) => ({ value, label: label ? inLanguage(label) : value }));
