import createQueryHooks from 'openapi-react-query';
import { api } from '../api/client';

export { api };
/** React Query hooks for the API client. They cache responses and share them between components. */
export const $api = createQueryHooks(api);
