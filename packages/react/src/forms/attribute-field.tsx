import type { components } from 'castellan-client';
import { useId, type ReactNode } from 'react';
import type { Language, Texts } from './texts';

export type Attribute = components['schemas']['AttributeFieldDto'];

/** Name of the field, as problems call it. */
export const attributeFieldName = ({ name }: Attribute): string => `attributes.${name}`;

/** The value to send. What is no number of JSON stays text, so that the service explains the error. */
function valueOf({ type }: Attribute, text: string): string | number | boolean | string[] {
  if (type === 'boolean') return text === 'true';
  if (type === 'text_list') return text.split('\n').filter((line) => line.trim() !== '');
  return type === 'number' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** The values of the filled-in fields. */
export function attributesOf(
  attributes: readonly Attribute[],
  fields: Readonly<Record<string, string>>,
): Record<string, ReturnType<typeof valueOf>> {
  const typed = attributes.map(
    (attribute) => [attribute, (fields[attributeFieldName(attribute)] ?? '').trim()] as const,
  );
  return Object.fromEntries(
    typed.filter(([, text]) => text !== '').map(([attribute, text]) => [attribute.name, valueOf(attribute, text)]),
  );
}

interface AttributeFieldProps {
  readonly attribute: Attribute;
  readonly language: Language;
  readonly t: Texts;
  readonly error: string | undefined;
}

function optionsOf({ type, choices }: Attribute, language: Language, t: Texts): { value: string; text: string }[] {
  if (type === 'boolean') {
    return (['yes', 'no'] as const).map((key) => ({ value: String(key === 'yes'), text: t(key) }));
  }
  return (choices ?? []).map(({ value, label }) => ({ value, text: label?.[language] ?? value }));
}

/** The labelled input of an attribute, by its type, with its help and its error. */
export function AttributeField({ attribute, language, t, error }: AttributeFieldProps): ReactNode {
  const id = useId();
  const { type, label, description, min, max } = attribute;
  const help = [description[language], type === 'text_list' ? t('one_a_line') : ''].filter(Boolean).join(' ');
  const notes = [error !== undefined && `${id}-error`, help !== '' && `${id}-help`].filter(Boolean).join(' ');
  const control = {
    id,
    name: attributeFieldName(attribute),
    required: true,
    'aria-invalid': error !== undefined,
    'aria-describedby': notes === '' ? undefined : notes,
  };
  const input = (): ReactNode => {
    switch (type) {
      case 'boolean':
      case 'choice':
        return (
          <select {...control} defaultValue="">
            <option value="">{t('choose')}</option>
            {optionsOf(attribute, language, t).map(({ value, text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        );
      case 'text_list':
        return <textarea {...control} />;
      case 'date':
        return <input {...control} type="date" min={min ?? undefined} max={max ?? undefined} />;
      default:
        return <input {...control} inputMode={type === 'number' ? 'decimal' : undefined} />;
    }
  };
  return (
    <div>
      <label htmlFor={id}>{label[language]}</label>
      {input()}
      {help !== '' && <p id={`${id}-help`}>{help}</p>}
      {error !== undefined && <p id={`${id}-error`}>{error}</p>}
    </div>
  );
}
