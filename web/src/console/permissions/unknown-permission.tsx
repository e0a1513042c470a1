import { Checkbox, Text } from '@mantine/core';
import type { Permission } from 'castellan-client';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../use-permission';
import type { CatalogueEntry } from './catalogue';
import { isBroad } from './gains';

/**
 * Whether the permission is complete, but not in the catalogue. `extensible`: operators may add it there, as to the scope of
 * another service.
 */
export function unknownIn(
  catalogue: readonly CatalogueEntry[] | undefined,
  { scope, permission_id: permission }: Permission,
): { readonly extensible: boolean } | undefined {
  const named = { scope, permission_id: permission };
  const isWhole = /^[^:]+:[^:]+$/.test(permission);
  const isKnown = (entry: CatalogueEntry): boolean => entry.scope === scope && entry.permission_id === permission;
  if (!catalogue || !isWhole || isBroad(named) || catalogue.some(isKnown)) return undefined;
  return { extensible: !catalogue.some((entry) => entry.is_builtin && entry.scope === scope) };
}

interface UnknownPermissionProps {
  readonly permission: string;
  readonly extensible: boolean;
  readonly checked: boolean;
  readonly onCheck: (checked: boolean) => void;
}

/** Says that a permission is unknown, and offers to add it to the catalogue. */
export function UnknownPermission({ permission, extensible, checked, onCheck }: UnknownPermissionProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  if (!extensible || !may('permission:create')) {
    return <Text className="danger">{t('roles.unknown_permission', { permission })}</Text>;
  }
  return (
    <Checkbox
      label={t('roles.add_to_catalogue', { permission })}
      description={t('roles.unknown_permission', { permission })}
      checked={checked}
      onChange={(event) => {
        onCheck(event.currentTarget.checked);
      }}
    />
  );
}
