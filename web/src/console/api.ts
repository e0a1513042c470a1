import createQueryHooks from 'openapi-react-query';
import { api } from '../api/client';

export { api };
/** The same client, its answers kept and shared between the parts of a page. */
export const $api = createQueryHooks(api);
