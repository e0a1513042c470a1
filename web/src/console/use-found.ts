import { useQueries, type QueryKey } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { $api, api } from './api';
import { useMay } from './use-permission';
import { accountPages, adminPages, opens } from '../session/pages';

/** Results of each kind. */
const MAX_EACH = 5;
/** Largest page of the API. */
const PAGE = 100;

export interface Found {
  readonly kind: 'page' | 'user' | 'role' | 'group' | 'organization' | 'setting' | 'application' | 'webhook';
  readonly name: string;
  readonly path: string;
  /** Name of the page with the same icon. */
  readonly icon: string;
}

/** Lists the pages of the menu that the user may open. */
function usePages(): readonly Found[] {
  const { t } = useTranslation();
  const may = useMay();
  const open = adminPages.filter((page) => !page.unlisted && opens(page, may));
  return [...open, ...accountPages].map(({ path, name }) => ({
    kind: 'page',
    path,
    name: t(`nav.${name}`),
    icon: name,
  }));
}

async function findUsers(keyword: string): Promise<Found[]> {
  const { data, error } = await api.GET('/api/user', {
    params: { query: { keyword, cursor: '', page_size: MAX_EACH } },
  });
  if (!data) throw error as unknown;
  return data.items.map(({ id, username, nickname }) => ({
    kind: 'user',
    name: [username, nickname].filter(Boolean).join(' · '),
    path: `/admin/users/${id}`,
    icon: 'users',
  }));
}

async function findRoles(keyword: string): Promise<Found[]> {
  const { data, error } = await api.GET('/api/role', { params: { query: { keyword, page_size: MAX_EACH } } });
  if (!data) throw error as unknown;
  return data.items.map(({ id, name }) => ({ kind: 'role', name, path: `/admin/roles/${id}`, icon: 'roles' }));
}

async function findGroups(keyword: string): Promise<Found[]> {
  const { data, error } = await api.GET('/api/group', { params: { query: { keyword, page_size: MAX_EACH } } });
  if (!data) throw error as unknown;
  return data.items.map(({ id, path }) => ({
    kind: 'group',
    name: path.join(' / '),
    path: `/admin/groups/${id}`,
    icon: 'groups',
  }));
}

async function findOrganizations(keyword: string): Promise<Found[]> {
  const { data, error } = await api.GET('/api/organization', { params: { query: { keyword, page_size: MAX_EACH } } });
  if (!data) throw error as unknown;
  return data.items.map(({ id, name }) => ({
    kind: 'organization',
    name,
    path: `/admin/organizations/${id}`,
    icon: 'organizations',
  }));
}

interface Source {
  /** Begins the query key, so that changes of the list also reload the results. */
  readonly list: QueryKey;
  readonly permission: string;
  readonly find: (keyword: string) => Promise<Found[]>;
}

/** What the service searches. */
const sources: readonly Source[] = [
  { list: ['users'], permission: 'user:admin', find: findUsers },
  { list: ['get', '/api/role'], permission: 'role:read', find: findRoles },
  { list: ['get', '/api/group'], permission: 'group:read', find: findGroups },
  { list: ['get', '/api/organization'], permission: 'organization:read', find: findOrganizations },
];

/** Settings, webhooks and the newest applications, which are filtered here. */
function useListed(isWanted: boolean): readonly Found[] {
  const may = useMay();
  const settings = $api.useQuery('get', '/api/setting', {}, { enabled: isWanted && may('setting:read') });
  const params = { query: { page: 1, page_size: PAGE } };
  const clients = $api.useQuery(
    'get',
    '/api/oauth/client',
    { params },
    { enabled: isWanted && may('oauth_client:read') },
  );
  const webhooks = $api.useQuery('get', '/api/webhook', {}, { enabled: isWanted && may('webhook:read') });
  return [
    ...(settings.data?.items ?? []).map(({ key, title }): Found => {
      const path = `/admin/settings?keyword=${key}`;
      return { kind: 'setting', name: `${title} · ${key}`, path, icon: 'settings' };
    }),
    ...(clients.data?.items ?? []).map(({ id, name }): Found => {
      return { kind: 'application', name, path: `/admin/clients/${id}`, icon: 'clients' };
    }),
    ...(webhooks.data?.items ?? []).map(({ id, name }): Found => {
      return { kind: 'webhook', name, path: `/admin/webhooks/${id}`, icon: 'webhooks' };
    }),
  ];
}

/** Finds what has the keyword in its name. An empty keyword finds nothing. */
export function useFound(keyword: string): { readonly found: readonly Found[]; readonly isLoading: boolean } {
  const may = useMay();
  const isWanted = keyword !== '';
  const searched = useQueries({
    queries: sources.map(({ list, permission, find }) => ({
      queryKey: [...list, 'quick', keyword],
      queryFn: () => find(keyword),
      enabled: isWanted && may(permission),
    })),
  });
  const listed = [usePages(), useListed(isWanted)].map((all) =>
    all.filter(({ name }) => name.toLowerCase().includes(keyword.toLowerCase())),
  );
  const [pages = [], others = []] = listed;
  const byKind = Object.values(Object.groupBy(others, ({ kind }) => kind)).flatMap((some) => some.slice(0, MAX_EACH));
  return {
    found: isWanted ? [...pages, ...searched.flatMap(({ data }) => data ?? []), ...byKind] : [],
    isLoading: searched.some(({ isFetching }) => isFetching),
  };
}
