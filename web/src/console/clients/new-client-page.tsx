import { Button, Card, Group, Loader, Radio, Stack } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { useClientAccess } from '../organizations/use-client-access';
import { Form } from '../../session/form';
import { Page } from '../components/page';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { queryClient } from '../query-client';
import { clientKinds, isClientKind, isPublicKind, presetOf, type ClientKind } from './client-kind';
import { clientBody, newClient } from './client-values';

/** In separate chunks, because the page would exceed its budget. */
const ClientFields = lazy(async () => ({ default: (await import('./client-fields')).ClientFields }));
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
  const act = useSubmit();
  const access = useClientAccess();
  const { organizationId } = access;
  const [values, setValues] = useState(newClient);
  const [kind, setKind] = useState<ClientKind>('web');
  const isPublic = isPublicKind(kind);
  const [created, setCreated] = useState<Created>();
  const create = async (): Promise<void> => {
    const grants = values.grant_types.filter((grant) => !(isPublic && grant === 'client_credentials'));
    // Omit fields for confidential clients that were filled in before the type changed to public.
    const kind = isPublic ? { require_pkce: true, introspection_resources: [] } : {};
    const tie = organizationId === undefined ? {} : { organization_id: organizationId };
    const body = { ...clientBody(values), grant_types: grants, is_public: isPublic, ...kind, ...tie };
    const headers = access.headers('oauth_client:create');
    const answer = await act.run(() => api.POST('/api/oauth/client', { body, headers }));
    if (!answer?.data) return;
    await queryClient.invalidateQueries({ queryKey });
    setCreated(answer.data);
  };
  if (created) {
    return (
      <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
        <RegisteredClient client={created} kind={kind} base={access.base} />
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
            <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
              <ClientFields
                values={values}
                isPublic={isPublic}
                errors={act.fields}
                editable
                isTied={organizationId !== undefined}
                onChange={(change) => {
                  setValues((before) => ({ ...before, ...change }));
                }}
              />
            </Suspense>
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
