import type { components } from '../../api/schema';
import { $api } from '../api';
import { queryClient } from '../query-client';

export type CatalogueEntry = components['schemas']['CatalogueEntryDto'];

const { queryKey } = $api.queryOptions('get', '/api/permission');
export const reloadCatalogue = (): Promise<void> => queryClient.invalidateQueries({ queryKey });
