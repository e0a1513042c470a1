import { Button, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from './ask';
import { OVERLAPS, OverlapSelect, type Overlap } from './overlap-select';
import { Section } from './section';
import { ShownSecret } from './shown-secret';
import type { Submit } from '../hooks/use-submit';

interface SecretRotationProps {
  readonly act: Submit;
  readonly lead: string;
  /** What to do with the new secret, which is shown once. */
  readonly hint: string;
  /** What the dialog says. */
  readonly question: (overlap: Overlap) => string;
  /** Returns the new secret, or undefined after an error. */
  readonly rotate: (overlapSeconds: number) => Promise<string | undefined>;
}

/** Replaces a secret. During the overlap, the former one is valid, too. */
export function SecretRotation({ act, lead, hint, question, rotate }: SecretRotationProps): ReactNode {
  const { t } = useTranslation();
  const [overlap, setOverlap] = useState<Overlap>('day');
  const [secret, setSecret] = useState<string>();
  const start = async (): Promise<void> => {
    const title = t('clients.rotate');
    if (!(await ask({ title, text: question(overlap), confirm: title }))) return;
    const made = await rotate(OVERLAPS[overlap]);
    if (made !== undefined) setSecret(made);
  };
  return (
    <Section title={t('clients.secret')} lead={lead}>
      {secret !== undefined && <ShownSecret key={secret} secret={secret} hint={hint} />}
      <Group align="flex-end">
        <OverlapSelect value={overlap} onChange={setOverlap} />
        <Button variant="default" loading={act.busy} onClick={() => void start()}>
          {t('clients.rotate')}
        </Button>
      </Group>
    </Section>
  );
}
