import { CALLBACK } from './oauth';

/** Fits the route, so that it is not rejected for its form. */
export function bodyOf(route: string, { id, other }: { readonly id: string; readonly other: string }): object {
  const path = route.split(' ')[1] ?? '';
  if (/^\/api\/group(?:\/\{id\})?$/.test(path)) return { name: 'Changed', parent_id: other, organization_id: id };
  if (/^\/api\/role(?:\/\{id\})?$/.test(path)) return { name: 'changed', organization_id: id };
  if (/^\/api\/(?:group|role)\//.test(path)) return { user_ids: [other] };
  if (path === '/api/oauth/client') return { name: 'Changed', redirect_uris: [CALLBACK], organization_id: id };
  if (path === '/api/oauth/client/{id}') return { access: { mode: 'restricted', user_ids: [other] } };
  if (path.endsWith('/preview')) return { user_id: other };
  if (path.endsWith('/roles')) return { role_ids: [other], organization_id: id };
  if (path.endsWith('/members')) return { user_id: other, role_ids: [] };
  if (path.endsWith('/members/{user_id}')) return { role_ids: [] };
  return { name: 'Changed' };
}

/** Lists of the service are out of reach, too, so this names those of an organisation. */
const LISTS = new Set(['/api/group', '/api/role', '/api/oauth/client', '/api/audit', '/api/audit/export']);
export const pathOf = (path: string, id: string): string => (LISTS.has(path) ? `${path}?organization_id=${id}` : path);
