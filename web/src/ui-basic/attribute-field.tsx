import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldName, inLanguage, optionsOf, type AttributeField as Attribute } from '../shared/attributes';
import { Labelled } from './fields';

interface AttributeFieldProps {
  readonly attribute: Attribute;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

/** A number is typed as text: browsers drop what they do not read as a number. */
const inputs = {
  text: { type: 'text' },
  number: { type: 'text', inputMode: 'decimal' },
  date: { type: 'date' },
} as const;

/** The input of an attribute, by its type, in the language of the page. */
export function AttributeField({ attribute, value, onChange, error }: AttributeFieldProps): ReactNode {
  const { t } = useTranslation();
  const { type, label, description, min, max, required } = attribute;
  const help = inLanguage(description);
  const hint = type === 'text_list' ? `${help} ${t('attribute.lines')}`.trim() : help;
  const common = {
    name: fieldName(attribute),
    value,
    required: required !== 'no',
    onChange: (event: { readonly target: { readonly value: string } }) => {
      onChange(event.target.value);
    },
  };
  const control = (ties: object): ReactNode => {
    switch (type) {
      case 'boolean':
      case 'choice': {
        const truths = ['true', 'false'].map((truth) => ({ value: truth, label: t(`attribute.${truth}`) }));
        return (
          <select {...common} {...ties}>
            <option value="">{t('attribute.unset')}</option>
            {(type === 'boolean' ? truths : optionsOf(attribute)).map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        );
      }
      case 'text_list':
        return <textarea {...common} {...ties} rows={3} />;
      default: {
        const limits = type === 'date' ? { min: min ?? undefined, max: max ?? undefined } : {};
        return <input {...common} {...ties} {...inputs[type]} {...limits} autoComplete="off" />;
      }
    }
  };
  return (
    <Labelled label={inLanguage(label)} error={error} hint={hint} isRequired={common.required}>
      {(ties) => <div className="input">{control(ties)}</div>}
    </Labelled>
  );
}
