import { Alert, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnsaved } from '../../session/unsaved';
import { CopyField } from './copy-field';

interface ShownSecretProps {
  readonly secret: string;
  /** Where the secret belongs. */
  readonly hint: string;
}

/** Shows a new secret. It cannot be shown again, so leaving the page is asked about until it was copied. */
export function ShownSecret({ secret, hint }: ShownSecretProps): ReactNode {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  useUnsaved(!isCopied, 'secret');
  return (
    <Alert color="yellow.9" variant="outline" role="status">
      <Stack>
        <div>
          <Text fw={600}>{t('clients.secret_once')}</Text>
          <Text>{hint}</Text>
        </div>
        <CopyField
          label={t('clients.secret')}
          value={secret}
          onCopied={() => {
            setCopied(true);
          }}
        />
      </Stack>
    </Alert>
  );
}
