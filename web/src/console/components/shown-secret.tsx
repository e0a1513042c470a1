import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyField } from './copy-field';

interface ShownSecretProps {
  readonly secret: string;
  /** Where the secret belongs. */
  readonly hint: string;
}

/** Shows a new secret. It cannot be shown again. */
export function ShownSecret({ secret, hint }: ShownSecretProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert color="yellow.9" variant="outline" role="status">
      <Stack>
        <div>
          <Text fw={600}>{t('clients.secret_once')}</Text>
          <Text>{hint}</Text>
        </div>
        <CopyField label={t('clients.secret')} value={secret} />
      </Stack>
    </Alert>
  );
}
