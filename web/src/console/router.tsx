import { createBrowserRouter, redirectDocument, type LoaderFunctionArgs, type RouteObject } from 'react-router';
import { dropUnsaved } from '../session/unsaved';
import { Failed } from './components/failed';
import { Waiting } from './components/loaded';
import { AdminOnly } from './admin-only';
import { NotFound } from './not-found';
import { Shell } from './shell';
import { openTextsOf } from './texts';

/** Each page is a separate chunk, loaded on navigation. What administrators of an organization and of the service open. */
const ofOrganization: RouteObject[] = [
  {
    path: 'organizations/:id',
    lazy: async () => ({ Component: (await import('./organizations/organization-page')).OrganizationPage }),
  },
  {
    path: 'organizations/:organization/groups/:id',
    lazy: async () => ({ Component: (await import('./groups/group-page')).GroupPage }),
  },
  {
    path: 'organizations/:organization/roles/:id',
    lazy: async () => ({ Component: (await import('./roles/role-page')).RolePage }),
  },
  {
    path: 'organizations/:organization/clients/new',
    lazy: async () => ({ Component: (await import('./clients/new-client-page')).NewClientPage }),
  },
  {
    path: 'organizations/:organization/clients/:id',
    lazy: async () => ({ Component: (await import('./clients/client-page')).ClientPage }),
  },
];

const account: RouteObject[] = [
  {
    path: 'organizations',
    lazy: async () => ({
      Component: (await import('./organizations/own-organizations-page')).OwnOrganizationsPage,
    }),
  },
  ...ofOrganization,
];

const admin: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('./dashboard/dashboard-page')).DashboardPage }) },
  { path: 'setup', lazy: async () => ({ Component: (await import('./setup/setup-page')).SetupPage }) },
  { path: 'users', lazy: async () => ({ Component: (await import('./users/users-page')).UsersPage }) },
  { path: 'users/new', lazy: async () => ({ Component: (await import('./users/new-user-page')).NewUserPage }) },
  {
    path: 'users/import',
    lazy: async () => ({ Component: (await import('./users/import-users-page')).ImportUsersPage }),
  },
  { path: 'users/:id', lazy: async () => ({ Component: (await import('./users/user-page')).UserPage }) },
  { path: 'roles', lazy: async () => ({ Component: (await import('./roles/roles-page')).RolesPage }) },
  { path: 'roles/:id', lazy: async () => ({ Component: (await import('./roles/role-page')).RolePage }) },
  { path: 'groups', lazy: async () => ({ Component: (await import('./groups/groups-page')).GroupsPage }) },
  { path: 'groups/:id', lazy: async () => ({ Component: (await import('./groups/group-page')).GroupPage }) },
  {
    path: 'attributes',
    lazy: async () => ({ Component: (await import('./attributes/attributes-page')).AttributesPage }),
  },
  {
    path: 'attributes/new',
    lazy: async () => ({ Component: (await import('./attributes/new-attribute-page')).NewAttributePage }),
  },
  {
    path: 'attributes/:name',
    lazy: async () => ({ Component: (await import('./attributes/attribute-page')).AttributePage }),
  },
  {
    path: 'organizations',
    lazy: async () => ({ Component: (await import('./organizations/organizations-page')).OrganizationsPage }),
  },
  ...ofOrganization,
  {
    path: 'permissions',
    lazy: async () => ({ Component: (await import('./permissions/permissions-page')).PermissionsPage }),
  },
  { path: 'settings', lazy: async () => ({ Component: (await import('./settings/settings-page')).SettingsPage }) },
  { path: 'sign-in', lazy: async () => ({ Component: (await import('./sign-in/sign-in-page')).SignInPage }) },
  {
    path: 'login-methods',
    lazy: async () => ({ Component: (await import('./login-methods/login-methods-page')).LoginMethodsPage }),
  },
  { path: 'providers', lazy: async () => ({ Component: (await import('./providers/providers-page')).ProvidersPage }) },
  {
    path: 'providers/new',
    lazy: async () => ({ Component: (await import('./providers/new-provider-page')).NewProviderPage }),
  },
  {
    path: 'providers/:id',
    lazy: async () => ({ Component: (await import('./providers/provider-page')).ProviderPage }),
  },
  { path: 'clients', lazy: async () => ({ Component: (await import('./clients/clients-page')).ClientsPage }) },
  { path: 'clients/new', lazy: async () => ({ Component: (await import('./clients/new-client-page')).NewClientPage }) },
  { path: 'clients/:id', lazy: async () => ({ Component: (await import('./clients/client-page')).ClientPage }) },
  { path: 'templates', lazy: async () => ({ Component: (await import('./templates/templates-page')).TemplatesPage }) },
  {
    path: 'templates/:name',
    lazy: async () => ({ Component: (await import('./templates/template-page')).TemplatePage }),
  },
  {
    path: 'deliveries',
    lazy: async () => ({ Component: (await import('./deliveries/deliveries-page')).DeliveriesPage }),
  },
  {
    path: 'signing-keys',
    lazy: async () => ({ Component: (await import('./signing-keys/signing-keys-page')).SigningKeysPage }),
  },
  { path: 'audit', lazy: async () => ({ Component: (await import('./audit/audit-page')).AuditPage }) },
  { path: 'events', lazy: async () => ({ Component: (await import('./events/events-page')).EventsPage }) },
  { path: 'webhooks', lazy: async () => ({ Component: (await import('./webhooks/webhooks-page')).WebhooksPage }) },
  {
    path: 'webhooks/new',
    lazy: async () => ({ Component: (await import('./webhooks/new-webhook-page')).NewWebhookPage }),
  },
  { path: 'webhooks/:id', lazy: async () => ({ Component: (await import('./webhooks/webhook-page')).WebhookPage }) },
  { path: 'doctor', lazy: async () => ({ Component: (await import('./doctor/doctor-page')).DoctorPage }) },
];

/** Loads the texts of each page at the same time as its code. */
const withTexts = (base: string, routes: readonly RouteObject[]): RouteObject[] =>
  routes.map((route): RouteObject => {
    const { lazy, path = '' } = route;
    if (typeof lazy !== 'function') return route;
    const load = async () => {
      const [page] = await Promise.all([lazy(), openTextsOf(`${base}/${path}`)]);
      return page;
    };
    return { ...route, lazy: load };
  });

const nowhere: RouteObject = { path: '*', Component: NotFound };

/** The account pages have their own entry. The router asks about unsaved input before it goes there. */
function leaveConsole({ request }: LoaderFunctionArgs): Response {
  dropUnsaved();
  return redirectDocument(request.url);
}

const elsewhere: RouteObject = { path: '*', loader: leaveConsole };

export const router = createBrowserRouter([
  {
    Component: Shell,
    ErrorBoundary: Failed,
    children: [
      {
        path: '/account',
        children: [...withTexts('/account', account), { path: 'organizations/*', Component: NotFound }, elsewhere],
        HydrateFallback: Waiting,
        ErrorBoundary: Failed,
      },
      {
        path: '/admin',
        children: [...withTexts('/admin', admin), nowhere],
        Component: AdminOnly,
        HydrateFallback: Waiting,
        ErrorBoundary: Failed,
      },
      elsewhere,
    ],
  },
]);
