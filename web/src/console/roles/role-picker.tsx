import { Group, NativeSelect, Pill } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAllRoles } from './role-lists';

interface RolePickerProps {
  readonly ids: readonly string[];
  readonly editable: boolean;
  readonly onChange: (ids: string[]) => void;
}

/** Chooses roles by name. */
export function RolePicker({ ids, editable, onChange }: RolePickerProps): ReactNode {
  const { t } = useTranslation();
  const roles = useAllRoles();
  const nameOf = (id: string): string => roles.find(({ value }) => value === id)?.label ?? id;
  return (
    <>
      <Group gap="xs">
        {ids.map((id) => (
          <Pill
            key={id}
            size="lg"
            withRemoveButton={editable}
            removeButtonProps={{
              'aria-label': t('users.take_role', { role: nameOf(id) }),
              'aria-hidden': false,
              tabIndex: 0,
            }}
            onRemove={() => {
              onChange(ids.filter((other) => other !== id));
            }}
          >
            {nameOf(id)}
          </Pill>
        ))}
      </Group>
      {editable && roles.length > 0 && (
        <NativeSelect
          label={t('users.add_role')}
          value=""
          data={[{ value: '', label: '' }, ...roles.filter(({ value }) => !ids.includes(value))]}
          onChange={(event) => {
            onChange([...ids, event.currentTarget.value]);
          }}
        />
      )}
    </>
  );
}
