import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { components } from '../../api/schema';
import { api } from '../api';
import { Page } from '../components/page';
import { Section } from '../components/section';
import { DataTable } from '../components/table';
import { useSubmit } from '../hooks/use-submit';
import { invalidateLists } from '../query-client';
import { useUnsaved } from '../../session/unsaved';
import { usersKey } from './admin-user';
import { readCsv } from './csv-file';

type Result = components['schemas']['UserImportDto'];
type Line = components['schemas']['ImportedUserDto'];

const COLUMNS = 'username, nickname, email, email_verified, phone, phone_verified, locale, status, roles';
/** What the service accepts, less the JSON around it. */
const MAX_BYTES = 900_000;

interface Checked {
  readonly csv: string;
  readonly result: Result;
}

const counted = ['made', 'unchanged', 'merged', 'conflict', 'skipped'] as const;

function Outcome({ result }: { readonly result: Result }): ReactNode {
  const { t } = useTranslation();
  const columns = [
    { name: t('import.line'), show: ({ line }: Line) => line },
    { name: t('users.username'), show: ({ username, name }: Line) => username ?? name ?? '' },
    { name: t('import.result'), show: ({ result: of, why }: Line) => t(`import.${why ?? of}`) },
    {
      name: t('import.notes'),
      show: ({ notes, roles_left_out: refused = [] }: Line) => [
        ...notes.map((note) => <div key={note}>{t(`import.note_${note}`)}</div>),
        ...refused.map(({ role, why }) => <div key={`role ${role}`}>{t(`import.role_${why}`, { role })}</div>),
      ],
    },
  ];
  return (
    <Section title={t(result.dry_run ? 'import.would' : 'import.did')}>
      <Stack gap={4} component="ul" m={0} p={0} className="plain">
        {counted
          .filter((name) => result[name] > 0 || name === 'made')
          .map((name) => (
            <li key={name}>{t(`import.count_${name}`, { count: result[name] })}</li>
          ))}
      </Stack>
      {result.roles_given.length > 0 && (
        <div>
          <Text fw={600} id="roles-given">
            {t('import.roles_given')}
          </Text>
          <Stack gap={4} component="ul" m={0} p={0} className="plain" aria-labelledby="roles-given">
            {result.roles_given.map(({ role, users }) => (
              <li key={role} className="wrap">
                {t('import.role_given', { role, count: users })}
              </li>
            ))}
          </Stack>
        </div>
      )}
      <DataTable
        label={t('import.attention')}
        columns={columns}
        rows={result.items}
        rowKey={({ line }) => line}
        empty={t('import.no_attention')}
      />
    </Section>
  );
}

/** Imports users from a CSV file after showing what the file would do. */
export function ImportUsersPage(): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [checked, setChecked] = useState<Checked>();
  const isOpen = checked?.result.dry_run === true;
  useUnsaved(isOpen);
  const send = async (csv: string, dry_run: boolean): Promise<void> => {
    const options = { params: { query: { dry_run } }, body: { csv } };
    const answer = await act.run(() => api.POST('/api/user/import', options), dry_run ? undefined : t('import.done'));
    setChecked(answer?.data ? { csv, result: answer.data } : undefined);
    if (answer && !dry_run) await invalidateLists(usersKey);
  };
  const reject = (csv: string): void => {
    setChecked(undefined);
    act.showMessage({ csv });
  };
  const read = async (file: File | null): Promise<void> => {
    if (!file) return;
    if (file.size > MAX_BYTES) {
      reject(t('import.too_large'));
      return;
    }
    const found = readCsv(new Uint8Array(await file.arrayBuffer()));
    if ('format' in found) reject(t('import.not_utf8', found));
    else await send(found.csv, true);
  };
  return (
    <Page wide title={t('import.title')} lead={t('import.lead')}>
      <Section title={t('import.file')} lead={t('import.file_lead')}>
        <Text size="sm" className="wrap">
          <code>{COLUMNS}</code>
        </Text>
        <Group>
          <FileButton accept=".csv,text/csv" onChange={(file) => void read(file)}>
            {(props) => (
              <Button {...props} variant={isOpen ? 'default' : 'filled'} loading={act.busy}>
                {t('import.choose')}
              </Button>
            )}
          </FileButton>
        </Group>
        <div role="alert">{act.fields['csv'] && <Alert color="red">{act.fields['csv']}</Alert>}</div>
      </Section>
      {checked && <Outcome result={checked.result} />}
      {isOpen && checked.result.made > 0 && (
        <Group>
          <Button loading={act.busy} onClick={() => void send(checked.csv, false)}>
            {t('import.start', { count: checked.result.made })}
          </Button>
        </Group>
      )}
      {checked && !isOpen && (
        <Group>
          <Button component={Link} to="/admin/users" variant="default">
            {t('import.back')}
          </Button>
        </Group>
      )}
    </Page>
  );
}
