import { Button, Group as Row, Stack, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { changesOf } from '../hooks/changes';
import { Form } from '../../session/form';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useEdits } from '../hooks/use-edits';
import { findGroup, showGroup, type GroupProps } from './group-lists';

/** Name and description of a group, and the group above it, which is entered by its name. */
export function GroupDetails({ group, access }: GroupProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const { name, description } = group;
  const stored = { name, description, parent: group.path.at(-2) ?? '' };
  const { values, change, saved } = useEdits(stored);
  const save = async (): Promise<void> => {
    const { parent, ...changes } = changesOf(stored, values);
    const found = parent ? await act.find(() => findGroup(parent, access)) : { data: undefined };
    if (!found) return;
    if (parent && !found.data) {
      act.showMessage({ parent_id: t('groups.unknown', { name: parent }) });
      return;
    }
    const body = { ...changes, ...(parent !== undefined && { parent_id: found.data?.id ?? null }) };
    const options = { params: { path: { id: group.id } }, body, headers: access.headers('group:update') };
    const answer = await act.run(() => api.PATCH('/api/group/{id}', options), t('act.saved'));
    if (!answer?.data) return;
    await showGroup(answer.data);
    saved({ ...values, parent: answer.data.path.at(-2) ?? '' });
  };
  return (
    <Section title={t('groups.details')}>
      <Form act={act} onSubmit={save}>
        <Stack>
          <TextInput
            label={t('groups.name')}
            value={values.name}
            error={act.fields['name']}
            autoComplete="off"
            onChange={(event) => {
              change({ name: event.currentTarget.value });
            }}
          />
          <Textarea
            label={t('groups.description')}
            value={values.description}
            error={act.fields['description']}
            autosize
            onChange={(event) => {
              change({ description: event.currentTarget.value });
            }}
          />
          <TextInput
            label={t('groups.above')}
            description={t('groups.above_hint')}
            value={values.parent}
            error={act.fields['parent_id']}
            autoComplete="off"
            onChange={(event) => {
              change({ parent: event.currentTarget.value });
            }}
          />
          <Row>
            <Button type="submit" loading={act.busy}>
              {t('act.save')}
            </Button>
          </Row>
        </Stack>
      </Form>
    </Section>
  );
}
