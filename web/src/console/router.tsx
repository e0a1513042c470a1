import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { Failed } from './parts/failed';
import { AdminOnly } from './admin-only';
import { NotFound } from './not-found';
import { Shell } from './shell';

/** Each page is a separate chunk, loaded on navigation. What administrators of an organisation and of the service open. */
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
    path: 'organizations/:organization/clients/new',
    lazy: async () => ({ Component: (await import('./admin/new-client-page')).NewClientPage }),
  },
  {
    path: 'organizations/:organization/clients/:id',
    lazy: async () => ({ Component: (await import('./admin/client-page')).ClientPage }),
  },
];

const account: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('./account/profile-page')).ProfilePage }) },
  { path: 'security', lazy: async () => ({ Component: (await import('./account/security-page')).SecurityPage }) },
  { path: 'mfa', lazy: async () => ({ Component: (await import('./account/mfa-page')).MfaPage }) },
  { path: 'identities', lazy: async () => ({ Component: (await import('./account/identities-page')).IdentitiesPage }) },
  { path: 'sessions', lazy: async () => ({ Component: (await import('./account/sessions-page')).SessionsPage }) },
  {
    path: 'applications',
    lazy: async () => ({ Component: (await import('./account/applications-page')).ApplicationsPage }),
  },
  {
    path: 'organizations',
    lazy: async () => ({
      Component: (await import('./organizations/own-organizations-page')).OwnOrganizationsPage,
    }),
  },
  ...ofOrganization,
];

const admin: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('./admin/dashboard-page')).DashboardPage }) },
  { path: 'setup', lazy: async () => ({ Component: (await import('./admin/setup-page')).SetupPage }) },
  { path: 'users', lazy: async () => ({ Component: (await import('./admin/users-page')).UsersPage }) },
  { path: 'users/new', lazy: async () => ({ Component: (await import('./admin/new-user-page')).NewUserPage }) },
  {
    path: 'users/import',
    lazy: async () => ({ Component: (await import('./admin/import-users-page')).ImportUsersPage }),
  },
  { path: 'users/:id', lazy: async () => ({ Component: (await import('./admin/user-page')).UserPage }) },
  { path: 'roles', lazy: async () => ({ Component: (await import('./admin/roles-page')).RolesPage }) },
  { path: 'roles/:id', lazy: async () => ({ Component: (await import('./admin/role-page')).RolePage }) },
  { path: 'groups', lazy: async () => ({ Component: (await import('./groups/groups-page')).GroupsPage }) },
  { path: 'groups/:id', lazy: async () => ({ Component: (await import('./groups/group-page')).GroupPage }) },
  {
    path: 'organizations',
    lazy: async () => ({ Component: (await import('./organizations/organizations-page')).OrganizationsPage }),
  },
  ...ofOrganization,
  {
    path: 'permissions',
    lazy: async () => ({ Component: (await import('./admin/permissions-page')).PermissionsPage }),
  },
  { path: 'settings', lazy: async () => ({ Component: (await import('./admin/settings-page')).SettingsPage }) },
  {
    path: 'login-methods',
    lazy: async () => ({ Component: (await import('./admin/login-methods-page')).LoginMethodsPage }),
  },
  { path: 'providers', lazy: async () => ({ Component: (await import('./admin/providers-page')).ProvidersPage }) },
  {
    path: 'providers/new',
    lazy: async () => ({ Component: (await import('./admin/new-provider-page')).NewProviderPage }),
  },
  { path: 'providers/:id', lazy: async () => ({ Component: (await import('./admin/provider-page')).ProviderPage }) },
  { path: 'clients', lazy: async () => ({ Component: (await import('./admin/clients-page')).ClientsPage }) },
  { path: 'clients/new', lazy: async () => ({ Component: (await import('./admin/new-client-page')).NewClientPage }) },
  { path: 'clients/:id', lazy: async () => ({ Component: (await import('./admin/client-page')).ClientPage }) },
  { path: 'templates', lazy: async () => ({ Component: (await import('./admin/templates-page')).TemplatesPage }) },
  { path: 'templates/:name', lazy: async () => ({ Component: (await import('./admin/template-page')).TemplatePage }) },
  { path: 'deliveries', lazy: async () => ({ Component: (await import('./admin/deliveries-page')).DeliveriesPage }) },
  {
    path: 'signing-keys',
    lazy: async () => ({ Component: (await import('./admin/signing-keys-page')).SigningKeysPage }),
  },
  { path: 'audit', lazy: async () => ({ Component: (await import('./admin/audit-page')).AuditPage }) },
  { path: 'events', lazy: async () => ({ Component: (await import('./events/events-page')).EventsPage }) },
  { path: 'webhooks', lazy: async () => ({ Component: (await import('./webhooks/webhooks-page')).WebhooksPage }) },
  {
    path: 'webhooks/new',
    lazy: async () => ({ Component: (await import('./webhooks/new-webhook-page')).NewWebhookPage }),
  },
  { path: 'webhooks/:id', lazy: async () => ({ Component: (await import('./webhooks/webhook-page')).WebhookPage }) },
  { path: 'doctor', lazy: async () => ({ Component: (await import('./admin/doctor-page')).DoctorPage }) },
];

const nowhere: RouteObject = { path: '*', Component: NotFound };

export const router = createBrowserRouter([
  {
    Component: Shell,
    HydrateFallback: () => null,
    ErrorBoundary: Failed,
    children: [
      { path: '/account', children: [...account, nowhere], ErrorBoundary: Failed },
      { path: '/admin', children: [...admin, nowhere], Component: AdminOnly, ErrorBoundary: Failed },
      { path: '*', element: <Navigate to="/account" replace /> },
    ],
  },
]);
