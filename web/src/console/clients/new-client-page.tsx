import { Button, Card, Group, Loader, Radio, Stack } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { Form } from '../parts/form';
import { Page } from '../parts/page';
import { Section } from '../parts/section';
import { useAct } from '../parts/use-act';
import { queryClient } from '../query-client';
import { ClientFields } from './client-fields';
import { clientKinds, isClientKind, isPublicKind, presetOf, type ClientKind } from './client-kind';
import { clientBody, newClient } from './client-values';

const RegisteredClient = lazy(async () => ({ default: (await import('./registered-client')).RegisteredClient }));

type Created = components['schemas']['CreatedClientDto'];

const { queryKey } = $api.queryOptions('get', '/api/oauth/client');

interface KindProps {
  readonly kind: ClientKind;
  readonly onChange: (kind: ClientKind) => void;
}

function Kind({ kind, onChange }: KindProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Section title={t('clients.kind')}>
      <Radio.Group
        aria-label={t('clients.kind')}
        value={kind}
        onChange={(chosen) => {
          if (isClientKind(chosen)) onChange(chosen);
        }}
      >
        <div className="kinds">
          {clientKinds.map((value) => (
            <Card key={value} withBorder component="label" padding="sm">
              <Radio value={value} label={t(`clients.kind_${value}`)} description={t(`clients.kind_${value}_hint`)} />
            </Card>
          ))}
        </div>
      </Radio.Group>
    </Section>
  );
}

export function NewClientPage(): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const [values, setValues] = useState(newClient);
  const [kind, setKind] = useState<ClientKind>('web');
  const isPublic = isPublicKind(kind);
  const [created, setCreated] = useState<Created>();
  const create = async (): Promise<void> => {
    const grants = values.grant_types.filter((grant) => !(isPublic && grant === 'client_credentials'));
    // Omit fields for confidential clients that were filled in before the type changed to public.
    const kind = isPublic ? { require_pkce: true, introspection_resources: [] } : {};
    const body = { ...clientBody(values), grant_types: grants, is_public: isPublic, ...kind };
    const answer = await act.run(() => api.POST('/api/oauth/client', { body }));
    if (!answer?.data) return;
    await queryClient.invalidateQueries({ queryKey });
    setCreated(answer.data);
  };
  if (created) {
    return (
      <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
        <RegisteredClient client={created} kind={kind} />
      </Suspense>
    );
  }
  return (
    <Page title={t('clients.add')} lead={t('clients.add_lead')}>
      <Form act={act} onSubmit={create}>
        <Stack gap="lg">
          <Kind
            kind={kind}
            onChange={(chosen) => {
              setKind(chosen);
              setValues((before) => ({ ...before, ...presetOf[chosen] }));
            }}
          />
          <Section title={t('clients.about')}>
            <ClientFields
              values={values}
              isPublic={isPublic}
              errors={act.fields}
              editable
              onChange={(change) => {
                setValues((before) => ({ ...before, ...change }));
              }}
            />
          </Section>
          <Group>
            <Button type="submit" loading={act.busy}>
              {t('clients.add')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Page>
  );
}
