import { Button, Loader } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { isProblem } from '../../api/problem';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { ask } from '../components/ask';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { useSubmit } from '../hooks/use-submit';
import { useRemoveOnLeave } from '../hooks/use-remove-on-leave';
import { OrganizationDetails } from './organization-details';
import { OrganizationDomains } from './organization-domains';
import { OrganizationGroups } from './organization-groups';
import { OrganizationInvitations } from './organization-invitations';
import { loginAddress } from '../../session/session-end';
import { organizationKey, reloadOrganizations, type Organization } from './organization-lists';
import { OrganizationMembers } from './organization-members';
import { OrganizationProviders } from './organization-providers';
import { useMayThere } from './use-may-there';

/** In separate chunks, because the page would exceed its budget. */
const OrganizationAudit = lazy(async () => ({ default: (await import('./organization-audit')).OrganizationAudit }));
const OrganizationClients = lazy(async () => ({
  default: (await import('./organization-clients')).OrganizationClients,
}));
const OrganizationRoles = lazy(async () => ({ default: (await import('./organization-roles')).OrganizationRoles }));
const OrganizationSettings = lazy(async () => ({
  default: (await import('./organization-settings')).OrganizationSettings,
}));

function DeleteOrganization({ organization }: { readonly organization: Organization }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const go = useNavigate();
  const removeOnLeave = useRemoveOnLeave(organizationKey(organization.id));
  const remove = async (): Promise<void> => {
    const { id, name } = organization;
    const text = t('organizations.delete_ask', { name });
    if (!(await ask({ title: t('organizations.delete'), text, confirm: t('organizations.delete') }))) return;
    const params = { path: { id } };
    if (!(await act.run(() => api.DELETE('/api/organization/{id}', { params }), t('organizations.deleted')))) return;
    await reloadOrganizations();
    removeOnLeave();
    await go('..', { relative: 'path', replace: true });
  };
  return (
    <div>
      <Button variant="default" className="danger" loading={act.busy} onClick={() => void remove()}>
        {t('organizations.delete')}
      </Button>
    </div>
  );
}

function Sections({ organization }: { readonly organization: Organization }): ReactNode {
  const { t } = useTranslation();
  const may = useMayThere(organization.id);
  const mayEverywhere = useMay();
  return (
    <>
      {may('organization:delete') && <DeleteOrganization organization={organization} />}
      {may('organization:update') && <OrganizationDetails organization={organization} />}
      {may('organization:update') && (
        <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
          <OrganizationSettings organization={organization} />
        </Suspense>
      )}
      <OrganizationMembers organization={organization} editable={may('organization_member:update')} />
      {may('group:read') && <OrganizationGroups organization={organization} />}
      {may('role:read') && (
        <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
          <OrganizationRoles organization={organization} />
        </Suspense>
      )}
      {may('invitation:read') && (
        <OrganizationInvitations
          organization={organization}
          sends={may('invitation:create')}
          withdraws={may('invitation:delete')}
        />
      )}
      {may('organization_domain:update') && <OrganizationDomains organization={organization} />}
      <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
        {may('oauth_client:read') && (
          <OrganizationClients
            organization={organization}
            registers={may('oauth_client:create') && may('organization:update')}
          />
        )}
        {may('audit:read') && <OrganizationAudit organization={organization} />}
      </Suspense>
      {mayEverywhere('oauth_provider:read') && <OrganizationProviders organization={organization} />}
    </>
  );
}

/** An organization, with what the user may see and change of it. */
export function OrganizationPage(): ReactNode {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const query = $api.useQuery('get', '/api/organization/{id}', { params: { path: { id } } });
  return (
    <Page title={query.data?.name ?? t('nav.organizations')} lead={query.data?.slug ?? ''}>
      <Loaded query={query}>{(organization) => <Sections key={organization.id} organization={organization} />}</Loaded>
      {isProblem(query.error) && query.error.code === 'login_method_not_accepted' && (
        <div>
          <Button component="a" href={loginAddress()}>
            {t('reauthenticate.log_in_again')}
          </Button>
        </div>
      )}
    </Page>
  );
}
