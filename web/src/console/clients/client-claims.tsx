import { Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { inLanguage } from '../../shared/attributes';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { Form } from '../../session/form';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useEdits } from '../hooks/use-edits';
import type { ClientPartProps } from './client';

type Claim = components['schemas']['ClientClaimInputDto'];

const SOURCES = ['roles', 'groups', 'permissions', 'attribute', 'constant'] as const;
const ATTRIBUTES = ['username', 'nickname', 'email', 'phone', 'locale'];
const PLACES = ['id_token', 'userinfo', 'access_token'] as const;

/** A claim during editing. `text` is the filter or the value. */
interface Row {
  readonly name: string;
  readonly from: Claim['from'];
  readonly text: string;
  readonly in: Claim['in'];
}

const isFiltered = (from: Claim['from']): boolean => from !== 'attribute' && from !== 'constant';

const rowOf = ({ name, from, filter = '', value = '', in: places }: Claim): Row => ({
  name,
  from,
  text: isFiltered(from) ? filter : value,
  in: places,
});

const claimOf = ({ name, from, text, in: places }: Row): Claim => ({
  name,
  from,
  ...(text !== '' && { [isFiltered(from) ? 'filter' : 'value']: text }),
  in: places,
});

interface ClaimRowProps {
  readonly row: Row;
  readonly index: number;
  readonly errors: Readonly<Record<string, string>>;
  readonly editable: boolean;
  /** Undefined removes the row. */
  readonly onChange: (row: Row | undefined) => void;
}

/** The fields that all users have, and the attributes that no owner writes, with the chosen one. */
function useAttributes(chosen: string): (string | { value: string; label: string })[] {
  const may = useMay();
  const { data } = $api.useQuery('get', '/api/attribute', {}, { enabled: may('attribute:read') });
  const defined = (data?.items ?? [])
    .filter(({ name, owner }) => owner !== 'write' || name === chosen)
    .map(({ name, label }) => ({ value: name, label: `${inLanguage(label)} (${name})` }));
  const isListed = ATTRIBUTES.includes(chosen) || defined.some(({ value }) => value === chosen);
  return [...ATTRIBUTES, ...(isListed ? [] : [chosen]), ...defined];
}

function ClaimText({ row, index, errors, editable, onChange }: ClaimRowProps): ReactNode {
  const { t } = useTranslation();
  const field = isFiltered(row.from) ? 'filter' : 'value';
  const attributes = useAttributes(row.text);
  const props = {
    label: t(`clients.claim_${field}`),
    value: row.text,
    error: errors[`claims[${index}].${field}`],
    disabled: !editable,
    onChange: (event: { currentTarget: { value: string } }) => {
      onChange({ ...row, text: event.currentTarget.value });
    },
  };
  if (row.from === 'attribute') return <NativeSelect {...props} data={attributes} />;
  return <TextInput {...props} autoComplete="off" {...(field === 'filter' && { placeholder: '*' })} />;
}

function ClaimRow(props: ClaimRowProps): ReactNode {
  const { row, index, errors, editable, onChange } = props;
  const { t } = useTranslation();
  return (
    <Stack gap="xs" role="group" aria-label={row.name}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label={t('clients.claim_name')}
          name={`claims[${index}].name`}
          required
          value={row.name}
          error={errors[`claims[${index}].name`]}
          disabled={!editable}
          autoComplete="off"
          onChange={(event) => {
            onChange({ ...row, name: event.currentTarget.value });
          }}
        />
        <NativeSelect
          label={t('clients.claim_from')}
          value={row.from}
          disabled={!editable}
          data={SOURCES.map((value) => ({ value, label: t(`clients.from_${value}`) }))}
          onChange={(event) => {
            const from = SOURCES.find((source) => source === event.currentTarget.value) ?? 'roles';
            onChange({ ...row, from, text: from === 'attribute' ? 'username' : '' });
          }}
        />
        <ClaimText {...props} />
      </SimpleGrid>
      <Group justify="space-between">
        <Checkbox.Group
          aria-label={t('clients.claim_in')}
          error={errors[`claims[${index}].in`]}
          value={[...row.in]}
          onChange={(chosen) => {
            onChange({ ...row, in: PLACES.filter((place) => chosen.includes(place)) });
          }}
        >
          <Group>
            {PLACES.map((place) => (
              <Checkbox key={place} value={place} label={place} disabled={!editable} />
            ))}
          </Group>
        </Checkbox.Group>
        {editable && (
          <Button
            variant="default"
            size="xs"
            onClick={() => {
              onChange(undefined);
            }}
          >
            {t('act.remove')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Edits the claims of an application. */
export function ClientClaims({ client, editable, access, onSaved }: ClientPartProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const { values, change, saved } = useEdits({ rows: client.claims.map(rowOf) });
  const { rows } = values;
  const save = async (): Promise<void> => {
    const headers = access.headers('oauth_client:update');
    const options = { params: { path: { id: client.id } }, body: { claims: rows.map(claimOf) }, headers };
    const answer = await act.run(() => api.PATCH('/api/oauth/client/{id}', options), t('act.saved'));
    if (!answer?.data) return;
    onSaved(answer.data);
    saved(values);
  };
  const add = (): void => {
    change({ rows: [...rows, { name: '', from: 'roles', text: '', in: ['id_token', 'userinfo'] }] });
  };
  return (
    <Section title={t('clients.claims')} lead={t('clients.claims_lead')}>
      <Form act={act} onSubmit={save}>
        <Stack gap="lg">
          {rows.map((row, index) => (
            <ClaimRow
              // A row has no id until it is stored.
              key={index}
              row={row}
              index={index}
              errors={act.fields}
              editable={editable}
              onChange={(changed) => {
                change({ rows: rows.flatMap((other, at) => (at === index ? (changed ?? []) : other)) });
              }}
            />
          ))}
          {editable && (
            <Group>
              <Button variant="default" onClick={add}>
                {t('clients.claims_add')}
              </Button>
              <Button type="submit" loading={act.busy}>
                {t('clients.claims_save')}
              </Button>
            </Group>
          )}
        </Stack>
      </Form>
    </Section>
  );
}
