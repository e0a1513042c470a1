import { Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { useClientAccess, type ClientAccess } from '../organizations/use-client-access';
import { useMe } from '../me';
import { ask } from '../components/ask';
import { changesOf } from '../hooks/changes';
import { Form } from '../../session/form';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { SaveRow } from '../components/save-row';
import { Section } from '../components/section';
import { timeOf } from '../../shared/time';
import { useSubmit } from '../hooks/use-submit';
import { useEdits } from '../hooks/use-edits';
import { useGoOn } from '../hooks/use-go-on';
import { useRemoveOnLeave } from '../hooks/use-remove-on-leave';
import { queryClient } from '../query-client';
import type { Client } from './client';
import { ClientFields } from './client-fields';
import { kindOf } from './client-kind';
import { ClientMarks } from './client-marks';
import { ClientRotation } from './client-rotation';
import { Coordinates } from './client-coordinates';
import { clientBody, type ClientValues } from './client-values';

/** In separate chunks, because the page would exceed its budget. */
const ClientDisclosure = lazy(() => import('./client-access'));
const ClientSnippet = lazy(() => import('./client-snippet'));

/** Begins all keys of the client, whatever headers its requests have. */
const clientOf = (id: string) => $api.queryOptions('get', '/api/oauth/client/{id}', { params: { path: { id } } });
const { queryKey: allClients } = $api.queryOptions('get', '/api/oauth/client');

function show(client: Client): void {
  queryClient.setQueriesData({ queryKey: clientOf(client.id).queryKey }, client);
  void queryClient.invalidateQueries({ queryKey: allClients });
}

interface PartProps {
  readonly client: Client;
  readonly access: ClientAccess;
}

function Actions({ client, access, deletes }: PartProps & { readonly deletes: boolean }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const goOn = useGoOn();
  const removeOnLeave = useRemoveOnLeave(clientOf(client.id).queryKey);
  const params = { path: { id: client.id } };
  const { enabled, name } = client;
  const toggle = async (): Promise<void> => {
    const title = t(enabled ? 'clients.disable' : 'clients.enable');
    if (enabled && !(await ask({ title, text: t('clients.disable_ask', { name }), confirm: title }))) return;
    const options = { params, body: { enabled: !enabled }, headers: access.headers('oauth_client:update') };
    const answer = await act.run(() => api.PATCH('/api/oauth/client/{id}', options), t('act.saved'));
    if (answer?.data) show(answer.data);
  };
  const remove = async (): Promise<void> => {
    const title = t('clients.delete');
    if (!(await ask({ title, text: t('clients.delete_ask', { name }), confirm: title }))) return;
    const options = { params, headers: access.headers('oauth_client:delete') };
    if (!(await act.run(() => api.DELETE('/api/oauth/client/{id}', options), t('clients.deleted')))) return;
    await queryClient.invalidateQueries({ queryKey: allClients });
    removeOnLeave();
    await goOn(access.list, { replace: true });
  };
  return (
    <Group>
      <Button variant="default" loading={act.busy} onClick={() => void toggle()}>
        {t(enabled ? 'clients.disable' : 'clients.enable')}
      </Button>
      {deletes && (
        <Button
          variant="default"
          className="danger"
          leftSection={<Trash2 />}
          loading={act.busy}
          onClick={() => void remove()}
        >
          {t('clients.delete')}
        </Button>
      )}
    </Group>
  );
}

/** Picks the form's fields, in the form's order. */
function valuesOf(client: Client): ClientValues {
  return {
    name: client.name,
    description: client.description,
    logo: client.logo,
    redirect_uris: client.redirect_uris,
    post_logout_redirect_uris: client.post_logout_redirect_uris,
    backchannel_logout_uri: client.backchannel_logout_uri ?? '',
    grant_types: client.grant_types,
    scopes: client.scopes,
    require_pkce: client.require_pkce,
    id_token_signed_response_alg: client.id_token_signed_response_alg,
    id_token_claims: client.id_token_claims,
    introspection_resources: client.introspection_resources,
    organization_id: client.organization_id ?? '',
    first_party: client.first_party,
  };
}

function Details({ client, access, editable }: PartProps & { readonly editable: boolean }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const stored = valuesOf(client);
  const { values, change, saved } = useEdits(stored);
  const body = changesOf(clientBody(stored), clientBody(values));
  const save = async (): Promise<void> => {
    const headers = access.headers('oauth_client:update');
    const options = { params: { path: { id: client.id } }, body, headers };
    const answer = await act.run(() => api.PATCH('/api/oauth/client/{id}', options), t('act.saved'));
    if (!answer?.data) return;
    show(answer.data);
    saved(values);
  };
  return (
    <Section title={t('clients.about')}>
      <Form act={act} onSubmit={save}>
        <Stack>
          <ClientFields
            values={values}
            isPublic={client.is_public}
            errors={act.fields}
            editable={editable}
            isTied={access.organizationId !== undefined}
            onChange={change}
          />
          {editable && <SaveRow act={act} body={body} />}
        </Stack>
      </Form>
    </Section>
  );
}

/** A client of an organization needs no owner. */
const ownerlessKey = ({ organization_id }: Client): string =>
  organization_id === null ? 'clients.ownerless' : 'clients.of_organization';

function Whole({ client, access }: PartProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const me = useMe();
  const isOwn = client.owner_id === me.id;
  const isWhole = isOwn || may('*:*');
  const editable = isWhole || access.mayThere('oauth_client:update');
  const deletes = isWhole || access.mayThere('oauth_client:delete');
  const headers = access.headers('oauth_client:update');
  return (
    <>
      <Stack gap="xs">
        <ClientMarks client={client} />
        <Text size="sm" c="dimmed">
          {client.last_used_at === null
            ? t('clients.never_used')
            : t('clients.used', { time: timeOf(client.last_used_at) })}{' '}
          {isOwn ? t('clients.own') : client.owner_id === null && t(ownerlessKey(client))}
        </Text>
      </Stack>
      {editable ? <Actions client={client} access={access} deletes={deletes} /> : <Text>{t('clients.read_only')}</Text>}
      <div className="columns">
        <Section title={t('clients.coordinates')} lead={t('clients.coordinates_hint')}>
          <Coordinates clientId={client.client_id} />
          <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
            <ClientSnippet kind={kindOf(client)} client={client} />
          </Suspense>
        </Section>
        {editable && !client.is_public && <ClientRotation client={client} headers={headers} />}
      </div>
      <Details key={client.id} client={client} access={access} editable={editable} />
      <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
        <ClientDisclosure
          key={`${client.id} access`}
          client={client}
          editable={editable}
          access={access}
          onSaved={show}
        />
      </Suspense>
    </>
  );
}

export function ClientPage(): ReactNode {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const access = useClientAccess();
  const headers = access.headers('oauth_client:read');
  const query = $api.useQuery('get', '/api/oauth/client/{id}', { params: { path: { id } }, headers });
  const back = access.organizationId !== undefined && (
    <Anchor component={Link} to={access.list} underline="always">
      {t('organizations.organization')}
    </Anchor>
  );
  return (
    <Page wide title={query.data?.name ?? t('nav.clients')} actions={back}>
      <Loaded query={query}>{(client) => <Whole client={client} access={access} />}</Loaded>
    </Page>
  );
}
