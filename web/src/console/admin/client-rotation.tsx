import { Button, Group, NativeSelect } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { ask } from '../parts/ask';
import { Section } from '../parts/section';
import { useAct } from '../parts/use-act';
import { ShownSecret } from './client-secret';
import type { Client } from './clients-page';

/** Seconds that the previous secret stays valid. */
const OVERLAPS = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;
type Overlap = keyof typeof OVERLAPS;

export function ClientRotation({ client }: { readonly client: Client }): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const [overlap, setOverlap] = useState<Overlap>('day');
  const [secret, setSecret] = useState<string>();
  const rotate = async (): Promise<void> => {
    const title = t('clients.rotate');
    if (!(await ask({ title, text: t(`clients.rotate_ask_${overlap}`), confirm: title }))) return;
    const options = { params: { path: { id: client.id } }, body: { overlap_seconds: OVERLAPS[overlap] } };
    const answer = await act.run(() => api.POST('/api/oauth/client/{id}/secret', options), t('clients.rotated'));
    if (answer?.data) setSecret(answer.data.client_secret);
  };
  return (
    <Section title={t('clients.secret')} lead={t('clients.rotate_lead')}>
      {secret !== undefined && <ShownSecret key={secret} secret={secret} />}
      <Group align="flex-end">
        <NativeSelect
          label={t('clients.overlap')}
          value={overlap}
          data={Object.keys(OVERLAPS).map((value) => ({ value, label: t(`clients.overlap_${value}`) }))}
          onChange={(event) => {
            setOverlap(event.currentTarget.value as Overlap);
          }}
        />
        <Button variant="default" loading={act.busy} onClick={() => void rotate()}>
          {t('clients.rotate')}
        </Button>
      </Group>
    </Section>
  );
}
