import { Button, Group as Row, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { ask } from '../components/ask';
import { CopyField } from '../components/copy-field';
import { Form } from '../../session/form';
import { Loaded } from '../components/loaded';
import { Mark } from '../../session/mark';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { invalidateLists } from '../query-client';
import { useUnsaved } from '../../session/unsaved';
import type { Organization } from './organization-lists';
import { OrganizationRolePicker } from './organization-role-picker';

type Domain = components['schemas']['DomainDto'];

const reload = (): Promise<void> => invalidateLists(['get', '/api/organization/{id}/domains']);

function ClaimDomain({ organization }: { readonly organization: Organization }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [domain, setDomain] = useState('');
  useUnsaved(domain !== '');
  const claim = async (): Promise<void> => {
    const options = { params: { path: { id: organization.id } }, body: { domain } };
    if (!(await act.run(() => api.POST('/api/organization/{id}/domains', options), t('act.saved')))) return;
    setDomain('');
    await reload();
  };
  return (
    <Form act={act} onSubmit={claim}>
      <Row align="flex-end">
        <TextInput
          label={t('domains.new')}
          description={t('domains.new_hint')}
          value={domain}
          error={act.fields['domain']}
          autoComplete="off"
          onChange={(event) => {
            setDomain(event.currentTarget.value);
          }}
        />
        <Button type="submit" variant="default" disabled={domain === ''} loading={act.busy}>
          {t('act.add')}
        </Button>
      </Row>
    </Form>
  );
}

interface DomainProps {
  readonly organization: Organization;
  readonly domain: Domain;
}

/** The record to publish, and the check of it. */
function ProveDomain({ organization, domain }: DomainProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const verify = async (): Promise<void> => {
    const params = { path: { id: organization.id, domain: domain.domain } };
    const send = () => api.POST('/api/organization/{id}/domains/{domain}/verify', { params });
    if (await act.run(send, t('domains.proved'))) await reload();
  };
  return (
    <Stack gap="xs">
      <Text size="sm">{t('domains.publish')}</Text>
      <CopyField label={t('domains.txt_name')} value={domain.txt_name} />
      <CopyField label={t('domains.txt_value')} value={domain.txt_value} />
      <Row>
        <Button variant="default" loading={act.busy} onClick={() => void verify()}>
          {t('domains.verify')}
        </Button>
      </Row>
    </Stack>
  );
}

/** What users with an address of the domain get. */
function JoinByDomain({ organization, domain }: DomainProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const change = async (body: components['schemas']['ChangeDomainDto']): Promise<void> => {
    const params = { path: { id: organization.id, domain: domain.domain } };
    const send = () => api.PATCH('/api/organization/{id}/domains/{domain}', { params, body });
    if (await act.run(send, t('act.saved'))) await reload();
  };
  return (
    <Stack gap="xs">
      <Switch
        label={t('domains.members_join')}
        checked={domain.members_join}
        disabled={act.busy}
        onChange={(event) => void change({ members_join: event.currentTarget.checked })}
      />
      {domain.members_join && domain.set_by === null && <Text size="sm">{t('domains.without_setter')}</Text>}
      {domain.suspended && <Text size="sm">{t('domains.suspended')}</Text>}
      {domain.members_join && (
        <OrganizationRolePicker
          organizationId={organization.id}
          ids={domain.role_ids}
          editable
          onChange={(ids) => void change({ role_ids: ids })}
        />
      )}
    </Stack>
  );
}

function DomainRow({ organization, domain }: DomainProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const isVerified = domain.status === 'verified';
  const remove = async (): Promise<void> => {
    const title = t('domains.remove', { domain: domain.domain });
    if (!(await ask({ title, text: t('domains.remove_ask'), confirm: t('act.remove') }))) return;
    const params = { path: { id: organization.id, domain: domain.domain } };
    if (await act.run(() => api.DELETE('/api/organization/{id}/domains/{domain}', { params }), t('act.saved'))) {
      await reload();
    }
  };
  return (
    <Stack gap="xs" role="group" aria-label={domain.domain}>
      <Row justify="space-between">
        <Row gap="xs">
          <Text fw={600}>{domain.domain}</Text>
          <Mark tone={isVerified ? 'good' : 'plain'}>{t(isVerified ? 'domains.verified' : 'domains.pending')}</Mark>
        </Row>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('domains.remove', { domain: domain.domain })}
          loading={act.busy}
          onClick={() => void remove()}
        >
          {t('act.remove')}
        </Button>
      </Row>
      {isVerified ? (
        <JoinByDomain organization={organization} domain={domain} />
      ) : (
        <ProveDomain organization={organization} domain={domain} />
      )}
    </Stack>
  );
}

/** The domains that an organization claims or has proved. */
export function OrganizationDomains({ organization }: { readonly organization: Organization }): ReactNode {
  const { t } = useTranslation();
  const domains = $api.useQuery('get', '/api/organization/{id}/domains', { params: { path: { id: organization.id } } });
  return (
    <Section title={t('domains.title')} lead={t('domains.lead')}>
      <Loaded query={domains}>
        {({ items }) => (
          <>
            {items.length === 0 && <Text c="dimmed">{t('domains.none')}</Text>}
            {items.map((domain) => (
              <DomainRow key={domain.domain} organization={organization} domain={domain} />
            ))}
          </>
        )}
      </Loaded>
      <ClaimDomain organization={organization} />
    </Section>
  );
}
