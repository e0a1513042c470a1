import { NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { fieldName, inLanguage, optionsOf, textsOf, valuesOf, type TypedAttributes } from '../../shared/attributes';
import { Form } from '../../session/form';
import { $api, api } from '../api';
import { SaveRow } from '../components/save-row';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useEdits } from '../hooks/use-edits';
import type { AdminUser } from './admin-user';

type Attribute = components['schemas']['AttributeDto'];

interface AttributeInputProps {
  readonly attribute: Attribute;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The input of an attribute, by its type. */
function AttributeInput({ attribute, value, error, onChange }: AttributeInputProps): ReactNode {
  const { t } = useTranslation();
  const { type, source } = attribute;
  const isOfDirectory = source === 'directory';
  const help = [
    inLanguage(attribute.description),
    type === 'text_list' ? t('users.attribute_lines') : '',
    isOfDirectory ? t('users.attribute_of_directory') : '',
  ];
  const common = {
    label: inLanguage(attribute.label),
    description: help.filter((text) => text !== '').join(' '),
    name: fieldName(attribute),
    value,
    error,
    disabled: isOfDirectory,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      onChange(event.currentTarget.value);
    },
  };
  if (type === 'text_list') return <Textarea {...common} autosize minRows={2} maxRows={8} />;
  if (type === 'boolean' || type === 'choice') {
    const truths = (['true', 'false'] as const).map((truth) => ({
      value: truth,
      label: t(`users.attribute_${truth}`),
    }));
    const options = type === 'boolean' ? truths : optionsOf(attribute);
    return <NativeSelect {...common} data={[{ value: '', label: t('users.attribute_unset') }, ...options]} />;
  }
  return (
    <TextInput
      {...common}
      type={type === 'date' ? 'date' : 'text'}
      {...(type === 'number' && { inputMode: 'decimal' })}
      autoComplete="off"
    />
  );
}

/** The values to send: those that differ. */
function changedValues(
  attributes: readonly Attribute[],
  stored: TypedAttributes,
  values: TypedAttributes,
): ReturnType<typeof valuesOf> {
  return valuesOf(
    attributes.filter(({ name }) => values[name] !== stored[name]),
    values,
  );
}

interface UserAttributesProps {
  readonly user: AdminUser;
  readonly onSaved: (user: AdminUser) => void;
}

function AttributesForm({
  user,
  onSaved,
  attributes,
}: UserAttributesProps & { attributes: readonly Attribute[] }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const stored = textsOf(attributes, user.attributes);
  const { values, change, saved } = useEdits(stored);
  const changed = changedValues(attributes, stored, values);
  const save = async (): Promise<void> => {
    const options = { params: { path: { id: user.id } }, body: { attributes: changed } };
    const answer = await act.run(() => api.PATCH('/api/user/{id}', options), t('act.saved'));
    if (!answer?.data) return;
    onSaved(answer.data);
    saved(textsOf(attributes, answer.data.attributes));
  };
  return (
    <Form act={act} onSubmit={save}>
      <Stack>
        {attributes.map((attribute) => (
          <AttributeInput
            key={attribute.name}
            attribute={attribute}
            value={values[attribute.name] ?? ''}
            error={act.fields[fieldName(attribute)]}
            onChange={(text) => {
              change({ [attribute.name]: text });
            }}
          />
        ))}
        <SaveRow act={act} body={changed} />
      </Stack>
    </Form>
  );
}

/** The attributes of a user. Nothing without definitions. */
export default function UserAttributes({ user, onSaved }: UserAttributesProps): ReactNode {
  const { t } = useTranslation();
  const { data } = $api.useQuery('get', '/api/user/attribute');
  if (!data || data.items.length === 0) return null;
  return (
    <Section title={t('nav.attributes')}>
      <AttributesForm user={user} onSaved={onSaved} attributes={data.items} />
    </Section>
  );
}
