import { CALLBACK } from '../oauth/oauth';

interface Ids {
  readonly id: string;
  readonly other: string;
}

/** The first that fits the path counts. */
const BODIES: readonly (readonly [RegExp, (ids: Ids) => object])[] = [
  [/^\/api\/group(?:\/\{id\})?$/, ({ id, other }) => ({ name: 'Changed', parent_id: other, organization_id: id })],
  [/^\/api\/role(?:\/\{id\})?$/, ({ id }) => ({ name: 'changed', organization_id: id })],
  [/^\/api\/(?:group|role)\//, ({ other }) => ({ user_ids: [other] })],
  [/^\/api\/oauth\/client$/, ({ id }) => ({ name: 'Changed', redirect_uris: [CALLBACK], organization_id: id })],
  [/^\/api\/oauth\/client\/\{id\}$/, ({ other }) => ({ access: { mode: 'restricted', user_ids: [other] } })],
  [/\/preview$/, ({ other }) => ({ user_id: other })],
  [/\/roles$/, ({ id, other }) => ({ role_ids: [other], organization_id: id })],
  [/\/members$/, ({ other }) => ({ user_id: other, role_ids: [] })],
  [/\/members\/\{user_id\}$/, () => ({ role_ids: [] })],
];

/** Fits the route, so that it is not rejected for its form. */
export function bodyOf(route: string, ids: Ids): object {
  const path = route.split(' ')[1] ?? '';
  const fitting = BODIES.find(([form]) => form.test(path));
  return fitting ? fitting[1](ids) : { name: 'Changed' };
}

/** Lists of the service are out of reach, too, so this names those of an organization. */
const LISTS = new Set(['/api/group', '/api/role', '/api/oauth/client', '/api/audit', '/api/audit/export']);
export const pathOf = (path: string, id: string): string => (LISTS.has(path) ? `${path}?organization_id=${id}` : path);
