import { Button, NativeSelect } from '@mantine/core';
import { levelNames, type Permission } from 'castellan-client';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../api';
import { Loaded } from '../components/loaded';
import { Section } from '../components/section';
import { DataTable } from '../components/table';
import { codeOf } from '../permissions/grants-table';
import { useRolesThere, type RoleProps } from './role-lists';

interface Row {
  readonly code: string;
  readonly levels: readonly [number | undefined, number | undefined];
}

/** The permissions of both roles by code, without those that both grant at the same level. */
function differences(one: readonly Permission[], other: readonly Permission[]): Row[] {
  const [mine, theirs] = [one, other].map((grants) => new Map(grants.map((grant) => [codeOf(grant), grant.level])));
  const codes = [...new Set([...one, ...other].map(codeOf))].sort();
  return codes
    .map((code): Row => ({ code, levels: [mine?.get(code), theirs?.get(code)] }))
    .filter(({ levels: [before, after] }) => before !== after);
}

function Differences({ role, access, otherId }: RoleProps & { readonly otherId: string }): ReactNode {
  const { t } = useTranslation();
  const headers = access.headers('role:read');
  const query = $api.useQuery('get', '/api/role/{id}', { params: { path: { id: otherId } }, headers });
  const levelOf = (level: number | undefined): string =>
    level === undefined ? '–' : t(`roles.level_${levelNames[level - 1] ?? 'admin'}`);
  return (
    <Loaded query={query}>
      {(other) => (
        <DataTable
          label={t('roles.compare')}
          columns={[
            { name: t('roles.permission'), show: ({ code }: Row) => <code>{code}</code> },
            { name: role.name, show: ({ levels: [level] }: Row) => levelOf(level) },
            { name: other.name, show: ({ levels: [, level] }: Row) => levelOf(level) },
          ]}
          rows={differences(role.permissions, other.permissions)}
          rowKey={({ code }) => code}
          empty={t('roles.compare_same')}
        />
      )}
    </Loaded>
  );
}

/** Loads all roles, so it is shown on demand. */
function Comparison({ role, access }: RoleProps): ReactNode {
  const { t } = useTranslation();
  const others = useRolesThere(access).filter(({ value }) => value !== role.id);
  const [otherId, setOtherId] = useState('');
  return (
    <>
      <NativeSelect
        label={t('roles.compare_with')}
        value={otherId}
        data={[{ value: '', label: '' }, ...others]}
        onChange={(event) => {
          setOtherId(event.currentTarget.value);
        }}
      />
      {otherId !== '' && <Differences role={role} access={access} otherId={otherId} />}
    </>
  );
}

/** Compares the permissions of the role with those of another one of the same organization, or of the service. */
export function RoleComparison(props: RoleProps): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section title={t('roles.compare')} lead={t('roles.compare_lead')}>
      {isOpen ? (
        <Comparison {...props} />
      ) : (
        <div>
          <Button
            variant="default"
            onClick={() => {
              setIsOpen(true);
            }}
          >
            {t('roles.compare_choose')}
          </Button>
        </div>
      )}
    </Section>
  );
}
