import { $api } from '../api';

/** The largest page. */
const MOST = 100;

/** The organisations that the user is a member of. */
export const ownOrganizations = $api.queryOptions('get', '/api/organization', {
  params: { query: { mine: true, page_size: MOST } },
});
