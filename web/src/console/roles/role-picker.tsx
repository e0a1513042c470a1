import { Group, NativeSelect, Pill, type NativeSelectProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAllRoles } from './role-lists';

export interface RolePickerProps {
  readonly ids: readonly string[];
  readonly editable: boolean;
  readonly onChange: (ids: string[]) => void;
}

interface RoleSelectProps extends RolePickerProps {
  readonly nameOf: (id: string) => string;
  /** The roles that can be added. */
  readonly options: NonNullable<NativeSelectProps['data']>;
}

/** Shows roles by name, with a select that adds others. */
export function RoleSelect({ ids, editable, onChange, nameOf, options }: RoleSelectProps): ReactNode {
  const { t } = useTranslation();
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
      {editable && options.length > 0 && (
        <NativeSelect
          label={t('users.add_role')}
          value=""
          data={[{ value: '', label: '' }, ...options]}
          onChange={(event) => {
            onChange([...ids, event.currentTarget.value]);
          }}
        />
      )}
    </>
  );
}

/** Chooses roles of the service by name. */
export function RolePicker(props: RolePickerProps): ReactNode {
  const roles = useAllRoles();
  const nameOf = (id: string): string => roles.find(({ value }) => value === id)?.label ?? id;
  return <RoleSelect {...props} nameOf={nameOf} options={roles.filter(({ value }) => !props.ids.includes(value))} />;
}
