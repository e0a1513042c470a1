import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { components } from '../../api/schema';
import { Page } from '../components/page';
import { Section } from '../components/section';
import { ShownSecret } from '../components/shown-secret';
import { Coordinates } from './client-coordinates';
import type { ClientKind } from './client-kind';
import ClientSnippet from './client-snippet';

type Created = components['schemas']['CreatedClientDto'];

interface RegisteredClientProps {
  readonly client: Created;
  readonly kind: ClientKind;
  /** The address of the page of an application, without the id. */
  readonly base: string;
}

/** The credentials of a new application, and code to begin with. */
export function RegisteredClient({ client, kind, base }: RegisteredClientProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Page title={client.name} lead={t('clients.added')}>
      {client.client_secret !== undefined && (
        <ShownSecret secret={client.client_secret} hint={t('clients.secret_once_hint')} />
      )}
      <Section title={t('clients.coordinates')} lead={t('clients.coordinates_hint')}>
        <Coordinates clientId={client.client_id} />
        <ClientSnippet kind={kind} client={client} />
      </Section>
      <Group>
        <Button component={Link} to={`${base}/${client.id}`}>
          {t('clients.go_on')}
        </Button>
      </Group>
    </Page>
  );
}
