import type { ReactNode } from 'react';
import { RoleSelect, type RolePickerProps } from '../roles/role-picker';
import { useRoleChoice } from './use-role-choice';

interface OrganizationRolePickerProps extends RolePickerProps {
  readonly organizationId: string;
}

/** Chooses among the roles that the user may give in the organization. */
export function OrganizationRolePicker({ organizationId, ...props }: OrganizationRolePickerProps): ReactNode {
  const { nameOf, optionsWithout } = useRoleChoice(organizationId, props.editable);
  return <RoleSelect {...props} nameOf={nameOf} options={optionsWithout(props.ids)} />;
}
