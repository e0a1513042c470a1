import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { changesOf } from '../hooks/changes';
import { Form } from '../../session/form';
import { LinesInput } from '../components/lines-input';
import { SaveRow } from '../components/save-row';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useEdits } from '../hooks/use-edits';
import { showOrganization, type Organization } from './organization-lists';

const texts = ['name', 'slug', 'logo'] as const;

/** `tier = gold`, one per line. */
const linesOf = (attributes: Organization['attributes']): string[] =>
  Object.entries(attributes).map(([name, value]) => `${name} = ${value}`);

function attributesOf(lines: readonly string[]): Record<string, string> {
  const pairs = lines.map((line) => line.split(/\s*=\s*(.*)/su));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}

/** Name, slug, logo, attributes and second-factor requirement of an organization. */
export function OrganizationDetails({ organization }: { readonly organization: Organization }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const { name, slug, logo, mfa_required } = organization;
  const stored = { name, slug, logo, mfa_required, attributes: linesOf(organization.attributes) };
  const { values, change, saved } = useEdits(stored);
  const { attributes, ...changed } = changesOf(stored, values);
  const body = { ...changed, ...(attributes && { attributes: attributesOf(attributes) }) };
  const save = async (): Promise<void> => {
    const options = { params: { path: { id: organization.id } }, body };
    const answer = await act.run(() => api.PATCH('/api/organization/{id}', options), t('act.saved'));
    if (!answer?.data) return;
    await showOrganization(answer.data);
    saved({ ...values, attributes: linesOf(answer.data.attributes) });
  };
  return (
    <Section title={t('organizations.details')}>
      <Form act={act} onSubmit={save}>
        <Stack>
          {texts.map((field) => (
            <TextInput
              key={field}
              label={t(`organizations.${field}`)}
              description={field === 'name' ? undefined : t(`organizations.${field}_hint`)}
              value={values[field]}
              error={act.fields[field]}
              autoComplete="off"
              onChange={(event) => {
                change({ [field]: event.currentTarget.value });
              }}
            />
          ))}
          <LinesInput
            label={t('organizations.attributes')}
            description={t('organizations.attributes_hint')}
            value={values.attributes}
            error={act.fields['attributes']}
            onChange={(lines) => {
              change({ attributes: lines });
            }}
          />
          <Checkbox
            label={t('organizations.mfa_required')}
            description={t('organizations.mfa_required_hint')}
            checked={values.mfa_required}
            onChange={(event) => {
              change({ mfa_required: event.currentTarget.checked });
            }}
          />
          <SaveRow act={act} body={body} />
        </Stack>
      </Form>
    </Section>
  );
}
