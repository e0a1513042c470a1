import { Button, Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { ask } from '../components/ask';
import { Loaded } from '../components/loaded';
import { Mark, type Tone } from '../../session/mark';
import { Page } from '../components/page';
import { DataTable } from '../components/table';
import { timeOf } from '../../shared/time';
import { useSubmit } from '../hooks/use-submit';
import { queryClient } from '../query-client';

type SigningKey = components['schemas']['SigningKeyDto'];

const { queryKey } = $api.queryOptions('get', '/api/signing-key');
const TONES: Record<SigningKey['state'], Tone> = { pending: 'plain', signing: 'good', verifying: 'plain' };

function Rotate(): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const rotate = async (): Promise<void> => {
    const title = t('signing_keys.rotate');
    if (!(await ask({ title, text: t('signing_keys.rotate_ask'), confirm: title }))) return;
    const answer = await act.run(() => api.POST('/api/signing-key'), t('signing_keys.rotated'));
    if (answer?.data) queryClient.setQueryData(queryKey, answer.data);
  };
  return (
    <Button variant="default" loading={act.busy} onClick={() => void rotate()}>
      {t('signing_keys.rotate')}
    </Button>
  );
}

/** Shows the keys that sign tokens, and rotates them. */
export function SigningKeysPage(): ReactNode {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const keys = $api.useQuery('get', '/api/signing-key');
  const usageOf = ({ usage }: SigningKey): string => {
    const known = `signing_keys.usage_${usage}`;
    return i18n.exists(known) ? t(known) : usage;
  };
  const columns = [
    {
      name: t('signing_keys.state'),
      show: ({ state }: SigningKey) => <Mark tone={TONES[state]}>{t(`signing_keys.state_${state}`)}</Mark>,
    },
    { name: t('signing_keys.usage'), show: usageOf },
    { name: t('signing_keys.algorithm'), show: ({ algorithm }: SigningKey) => algorithm },
    { name: t('signing_keys.signs_from'), show: ({ signs_from }: SigningKey) => timeOf(signs_from) },
    { name: t('signing_keys.kid'), show: ({ kid }: SigningKey) => <Code>{kid}</Code> },
  ];
  return (
    <Page title={t('nav.signing_keys')} lead={t('signing_keys.lead')} actions={may('signing_key:create') && <Rotate />}>
      <Loaded query={keys}>
        {({ items }) => (
          <DataTable
            label={t('nav.signing_keys')}
            columns={columns}
            rows={items}
            rowKey={({ kid }) => kid}
            empty={t('list.none')}
          />
        )}
      </Loaded>
    </Page>
  );
}
