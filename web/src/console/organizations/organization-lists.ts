import type { QueryKey } from '@tanstack/react-query';
import type { components } from '../../api/schema';
import { $api } from '../api';
import { invalidateLists, queryClient } from '../query-client';

export type Organization = components['schemas']['OrganizationDto'];

/** Prefix of the query keys of all lists of organizations. */
const organizationsKey = ['get', '/api/organization'];
export const reloadOrganizations = (): Promise<void> => invalidateLists(organizationsKey);

export const organizationKey = (id: string): QueryKey =>
  $api.queryOptions('get', '/api/organization/{id}', { params: { path: { id } } }).queryKey;

/** Updates the cache with the response of a change. */
export async function showOrganization(organization: Organization): Promise<void> {
  queryClient.setQueryData(organizationKey(organization.id), organization);
  await reloadOrganizations();
}
