import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { AttributeField } from '../../ui-basic/attribute-field';
import { Submit } from '../../ui-basic/fields';
import {
  fieldName,
  inLanguage,
  optionsOf,
  textsOf,
  valuesOf,
  type AttributeField as Attribute,
  type TypedAttributes,
} from '../../shared/attributes';
import { Form } from '../../session/form';
import { rememberMe, useMe } from '../me';
import { useSubmit } from '../use-submit';
import { useLoad } from '../use-load';
import { Section } from './section';

/** Attributes that others write. */
function ReadAttributes({ attributes }: { readonly attributes: readonly Attribute[] }): ReactNode {
  const { t } = useTranslation();
  const texts = textsOf(attributes, useMe().attributes);
  const shown = (attribute: Attribute): string => {
    const text = texts[attribute.name] ?? '';
    if (text === '') return t('attribute.unset');
    if (attribute.type === 'boolean') return t(text === 'true' ? 'attribute.true' : 'attribute.false');
    return optionsOf(attribute).find(({ value }) => value === text)?.label ?? text;
  };
  return (
    <dl className="facts">
      {attributes.map((attribute) => (
        <div key={attribute.name}>
          <dt>{inLanguage(attribute.label)}</dt>
          <dd>{shown(attribute)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Attributes that the user writes. */
function WrittenAttributes({ attributes }: { readonly attributes: readonly Attribute[] }): ReactNode {
  const { t } = useTranslation();
  const stored = textsOf(attributes, useMe().attributes);
  const act = useSubmit();
  const [typed, setTyped] = useState<TypedAttributes>({});
  const save = async (): Promise<void> => {
    const changed = attributes.filter(({ name }) => typed[name] !== undefined && typed[name] !== stored[name]);
    const body = { attributes: valuesOf(changed, typed) };
    const answer = await act.run(() => api.PATCH('/api/auth/me', { body }), t('act.saved'));
    if (!answer?.data) return;
    rememberMe(answer.data);
    setTyped({});
  };
  return (
    <Form act={act} onSubmit={save}>
      {attributes.map((attribute) => (
        <AttributeField
          key={attribute.name}
          // An account from before may go without what a registration requires.
          attribute={stored[attribute.name] === '' ? { ...attribute, required: 'no' } : attribute}
          value={typed[attribute.name] ?? stored[attribute.name] ?? ''}
          error={act.fields[fieldName(attribute)]}
          onChange={(text) => {
            setTyped((before) => ({ ...before, [attribute.name]: text }));
          }}
        />
      ))}
      <Submit busy={act.busy}>{t('act.save')}</Submit>
    </Form>
  );
}

/** The attributes that the user may read. Nothing without one. */
export function OwnAttributes(): ReactNode {
  const { t } = useTranslation();
  const { data } = useLoad(() => api.GET('/api/auth/me/attribute'));
  const attributes = data?.items ?? [];
  if (attributes.length === 0) return null;
  const written = attributes.filter(({ owner }) => owner === 'write');
  const read = attributes.filter(({ owner }) => owner !== 'write');
  return (
    <Section title={t('attribute.title')} lead={t('attribute.lead')}>
      {read.length > 0 && <ReadAttributes attributes={read} />}
      {written.length > 0 && <WrittenAttributes attributes={written} />}
    </Section>
  );
}
