import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { levelNames, type Permission } from 'castellan-client';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { ask } from '../components/ask';
import { Form } from '../../session/form';
import type { Submit } from '../hooks/use-submit';
import { gainsOf, isBroad, usualLevel } from './gains';
import { reloadCatalogue, type CatalogueEntry } from './catalogue';
import { unknownIn, UnknownPermission } from './unknown-permission';

const MAX_SHOWN = 12;

interface GainsProps {
  readonly title?: string;
  readonly gains: readonly CatalogueEntry[];
}

/** Previews which permissions a change would add. */
function Gains({ title, gains }: GainsProps): ReactNode {
  const { t } = useTranslation();
  const others = gains.length - MAX_SHOWN;
  if (gains.length === 0) return <Text c="dimmed">{t('roles.gains_nothing')}</Text>;
  return (
    <Stack gap={4}>
      {title !== undefined && <Text>{title}</Text>}
      <ul className="gains">
        {gains.slice(0, MAX_SHOWN).map((entry) => (
          <li key={`${entry.scope}:${entry.permission_id}`}>
            <code>{entry.permission_id}</code> {entry.description}
          </li>
        ))}
        {others > 0 && <li>{t('roles.gains_more', { count: others })}</li>}
      </ul>
    </Stack>
  );
}

interface PermissionInputProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly choices: readonly CatalogueEntry[];
  readonly onChange: (permission: string) => void;
}

function PermissionInput({ value, error, choices, onChange }: PermissionInputProps): ReactNode {
  const { t } = useTranslation();
  const known = useId();
  return (
    <>
      <TextInput
        label={t('roles.permission')}
        flex={1}
        miw={180}
        value={value}
        error={error}
        list={known}
        autoComplete="off"
        onChange={(event) => {
          onChange(event.currentTarget.value.trim());
        }}
      />
      <datalist id={known}>
        {choices.map((entry) => (
          <option key={entry.permission_id} value={entry.permission_id}>
            {entry.description}
          </option>
        ))}
      </datalist>
    </>
  );
}

interface AddPermissionProps {
  /** Preselected scope. */
  readonly scope: string;
  /** Grants before the change. */
  readonly held: readonly Permission[];
  /** Title above the permissions that the change would add. */
  readonly gains: string;
  readonly act: Submit;
  /** Resolves to whether the change succeeded. */
  readonly onAdd: (added: Permission) => Promise<boolean>;
}

export function AddPermission({ scope: first, held, gains, act, onAdd }: AddPermissionProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const catalogue = $api.useQuery('get', '/api/permission', {}, { enabled: may('permission:read') });
  const [scope, setScope] = useState(first);
  const [permission, setPermission] = useState('');
  const [chosen, setChosen] = useState<number>();
  const [isNew, setNew] = useState(false);
  const named = { scope, permission_id: permission };
  const added = { ...named, level: chosen ?? usualLevel(named, held, catalogue.data?.items ?? []) };
  const gained = gainsOf(held, added, catalogue.data?.items ?? []);
  const unknown = unknownIn(catalogue.data?.items, added);
  const confirm = (): Promise<boolean> =>
    ask({
      title: t('roles.add_many', {
        permission: `${scope}:${permission}`,
        level: t(`roles.level_${levelNames[added.level - 1] ?? 'admin'}`),
      }),
      text: gains,
      details: catalogue.data ? <Gains gains={gained} /> : <Text>{t('roles.gains_covered')}</Text>,
      confirm: t('act.add'),
    });
  const add = async (): Promise<void> => {
    if ((isBroad(added) || gained.length > 1) && !(await confirm())) return;
    if (unknown && !(await act.run(() => api.POST('/api/permission', { body: named })))) return;
    if (unknown) await reloadCatalogue();
    if (!(await onAdd(added))) return;
    setPermission('');
    setNew(false);
    setChosen(undefined);
  };
  return (
    <Form act={act} onSubmit={add}>
      <Stack gap="sm">
        <Group align="flex-end">
          <TextInput
            label={t('roles.scope')}
            w={110}
            value={scope}
            onChange={(event) => {
              setScope(event.currentTarget.value);
            }}
          />
          <PermissionInput
            value={permission}
            error={act.fields['add[0].permission_id']}
            choices={(catalogue.data?.items ?? []).filter((entry) => entry.scope === scope)}
            onChange={setPermission}
          />
          <NativeSelect
            label={t('roles.level')}
            value={String(added.level)}
            data={levelNames.map((name, index) => ({ value: String(index + 1), label: t(`roles.level_${name}`) }))}
            onChange={(event) => {
              setChosen(Number(event.currentTarget.value));
            }}
          />
          <Button
            type="submit"
            variant="default"
            disabled={permission === '' || (unknown && !isNew)}
            loading={act.busy}
          >
            {t('act.add')}
          </Button>
        </Group>
        <div role="status">
          {unknown && (
            <UnknownPermission {...unknown} permission={`${scope}:${permission}`} checked={isNew} onCheck={setNew} />
          )}
          {!unknown && permission.includes(':') && catalogue.data && <Gains title={gains} gains={gained} />}
        </div>
      </Stack>
    </Form>
  );
}
