import { Button, Group, List, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { api } from '../api';
import { Mark, type Tone } from '../../session/mark';
import { useSubmit } from '../hooks/use-submit';
import type { Provider } from './providers-page';

type Result = components['schemas']['ProviderTestDto'];
type Check = Result['checks'][number];

const TONES: Record<Check['outcome'], Tone> = { passed: 'good', failed: 'bad', unclear: 'plain' };

/** Checks the provider's configuration and endpoints. It cannot test a whole login. */
export function ProviderTest({ provider }: { readonly provider: Provider }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [result, setResult] = useState<Result>();
  const test = async (): Promise<void> => {
    setResult(undefined);
    const params = { path: { id: provider.id } };
    const answer = await act.run(() => api.POST('/api/oauth/provider/{id}/test', { params }));
    setResult(answer?.data);
  };
  return (
    <>
      <Group>
        <Button variant="default" loading={act.busy} onClick={() => void test()}>
          {t('providers.test')}
        </Button>
        <Text size="sm" c="dimmed" flex={1} miw={220}>
          {t('providers.test_hint')}
        </Text>
      </Group>
      <div role="status">
        {result && (
          <List listStyleType="none" spacing="xs" className="wrap">
            {result.checks.map(({ check, outcome, reason }) => (
              <List.Item key={check}>
                <Mark tone={TONES[outcome]}>{t(`providers.outcome_${outcome}`)}</Mark> {t(`providers.check_${check}`)}
                {reason !== null && (
                  <Text size="sm" c="dimmed">
                    {t('providers.reason')} <code>{reason}</code>
                  </Text>
                )}
              </List.Item>
            ))}
          </List>
        )}
      </div>
    </>
  );
}
