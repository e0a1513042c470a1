import { Alert, NativeSelect, Stack, Switch, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lineError, LinesInput } from '../components/lines-input';
import type { ClientFieldsProps } from './client-values';

const ALGORITHMS = ['RS256', 'ES256'] as const;

/** Options for confidential clients only. */
function OfConfidential({ values, errors, editable, onChange }: ClientFieldsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Switch
        label={t('clients.require_pkce')}
        description={t('clients.require_pkce_hint')}
        checked={values.require_pkce}
        error={errors['require_pkce']}
        disabled={!editable}
        onChange={(event) => {
          onChange({ require_pkce: event.currentTarget.checked });
        }}
      />
      {!values.require_pkce && (
        <Alert color="yellow" title={t('clients.require_pkce_off')}>
          <Text size="sm">{t('clients.require_pkce_off_hint')}</Text>
        </Alert>
      )}
      <LinesInput
        label={t('clients.introspection_resources')}
        description={t('clients.introspection_resources_hint')}
        value={values.introspection_resources}
        error={lineError(errors, 'introspection_resources')}
        disabled={!editable}
        onChange={(introspection_resources) => {
          onChange({ introspection_resources });
        }}
      />
    </>
  );
}

/** Advanced options: how an application gets its tokens, and what they contain. */
export function ClientTokens(props: ClientFieldsProps): ReactNode {
  const { values, isPublic, errors, editable, onChange } = props;
  const { t } = useTranslation();
  return (
    <Stack>
      <NativeSelect
        label={t('clients.id_token_signed_response_alg')}
        description={t('clients.id_token_signed_response_alg_hint')}
        data={[...ALGORITHMS]}
        value={values.id_token_signed_response_alg}
        error={errors['id_token_signed_response_alg']}
        disabled={!editable}
        onChange={(event) => {
          const chosen = ALGORITHMS.find((algorithm) => algorithm === event.currentTarget.value);
          if (chosen) onChange({ id_token_signed_response_alg: chosen });
        }}
      />
      <Switch
        label={t('clients.id_token_claims')}
        description={t('clients.id_token_claims_hint')}
        checked={values.id_token_claims}
        disabled={!editable}
        onChange={(event) => {
          onChange({ id_token_claims: event.currentTarget.checked });
        }}
      />
      {!isPublic && <OfConfidential {...props} />}
    </Stack>
  );
}
