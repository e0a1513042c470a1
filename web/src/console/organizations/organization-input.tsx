import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../api';

const SUGGESTIONS = 10;
const REST_MS = 200;

interface OrganizationInputProps {
  readonly label: string;
  readonly description: string;
  /** The id; empty for none. */
  readonly value: string;
  readonly error: ReactNode;
  readonly disabled: boolean;
  readonly onChange: (id: string) => void;
}

/** Picks an organization by its short name, with suggestions for a part of its name. */
export function OrganizationInput({ value, error, onChange, ...input }: OrganizationInputProps): ReactNode {
  const { t } = useTranslation();
  const list = useId();
  const [typed, setTyped] = useState<string>();
  const chosen = $api.useQuery(
    'get',
    '/api/organization/{id}',
    { params: { path: { id: value } } },
    { enabled: value !== '' && typed === undefined },
  );
  const [keyword = ''] = useDebouncedValue(typed, REST_MS);
  const query = { keyword, page_size: SUGGESTIONS };
  const found = $api.useQuery('get', '/api/organization', { params: { query } }, { enabled: keyword !== '' });
  const items = found.data?.items ?? [];
  const match = items.find(({ slug }) => slug === typed)?.id;
  const isUnknown = typed !== undefined && typed !== '' && typed === keyword && found.isSuccess && !match;
  useEffect(() => {
    // The service refuses a name that belongs to none. Nothing would untie the client.
    if (typed !== undefined) onChange(match ?? typed);
  }, [typed, match]);
  return (
    <>
      <TextInput
        {...input}
        name="organization"
        value={typed ?? chosen.data?.slug ?? value}
        error={isUnknown ? t('organizations.unknown') : error}
        list={list}
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.currentTarget.value.trim());
        }}
      />
      <datalist id={list}>
        {items.map(({ id, slug, name }) => (
          <option key={id} value={slug}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
