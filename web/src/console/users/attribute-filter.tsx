import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { inLanguage, optionsOf } from '../../shared/attributes';
import { $api } from '../api';
import { FilterInput } from '../components/filter-input';
import { FilterSelect } from '../components/filter-select';

type Attribute = components['schemas']['AttributeDto'];

/** The attributes that users can be found by. */
function useSearchable(): readonly Attribute[] {
  const { data } = $api.useQuery('get', '/api/user/attribute');
  return (data?.items ?? []).filter(({ searchable }) => searchable);
}

/** The name and the value of `name:value`. The value is empty until it is typed. */
const partsOf = (filter: string): { name: string; value: string } => {
  const end = filter.indexOf(':');
  return end === -1 ? { name: filter, value: '' } : { name: filter.slice(0, end), value: filter.slice(end + 1) };
};

/** Whether the filter has a value to search for. */
export const isWhole = (filter: string): boolean => partsOf(filter).value !== '';

/** The attribute that the filter names. */
export function useFilteredAttribute(filter: string): Attribute | undefined {
  const { name } = partsOf(filter);
  return useSearchable().find((attribute) => attribute.name === name);
}

interface AttributeFilterProps {
  /** In the address: `name:value`, `name:` or empty. */
  readonly filter: string;
  readonly error: string | undefined;
  readonly onSet: (filter: string) => void;
}

/** Finds users by the value of a searchable attribute. Nothing without one. */
export function AttributeFilter({ filter, error, onSet }: AttributeFilterProps): ReactNode {
  const { t } = useTranslation();
  const searchable = useSearchable();
  const attribute = useFilteredAttribute(filter);
  if (searchable.length === 0) return null;
  const { value } = partsOf(filter);
  const set = (text: string): void => {
    if (attribute) onSet(`${attribute.name}:${text}`);
  };
  const truths = ['true', 'false'].map((truth) => ({ value: truth, label: t(`users.attribute_${truth}`) }));
  const options = attribute?.type === 'boolean' ? truths : attribute && optionsOf(attribute);
  return (
    <>
      <FilterSelect
        label={t('users.attribute')}
        value={attribute?.name ?? ''}
        choices={searchable.map(({ name, label }) => ({ value: name, label: inLanguage(label) }))}
        onSet={(name) => {
          onSet(name === '' ? '' : `${name}:`);
        }}
      />
      {attribute && options && options.length > 0 && (
        <NativeSelect
          label={inLanguage(attribute.label)}
          value={value}
          error={error}
          data={[{ value: '', label: t('list.all') }, ...options]}
          onChange={(event) => {
            set(event.currentTarget.value);
          }}
        />
      )}
      {attribute && options?.length === 0 && (
        <FilterInput
          key={attribute.name}
          label={inLanguage(attribute.label)}
          type={attribute.type === 'date' ? 'date' : 'search'}
          value={value}
          error={error}
          onSet={set}
        />
      )}
    </>
  );
}
