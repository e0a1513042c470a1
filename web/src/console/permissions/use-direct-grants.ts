import type { Permission } from 'castellan-client';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { ask } from '../components/ask';
import { useSubmit, type Submit } from '../hooks/use-submit';
import { queryClient } from '../query-client';
import { codeOf } from './grants-table';

type Change = components['schemas']['ChangeUserGrantsDto'];

const ofUser = (id: string) => $api.queryOptions('get', '/api/user/{id}/permissions', { params: { path: { id } } });

interface DirectGrants {
  readonly query: ReturnType<typeof useGrants>;
  readonly act: Submit;
  /** Resolves to whether the change succeeded. */
  readonly change: (body: Change) => Promise<boolean>;
  /**
   * After a question.
   * @param organizationId undefined for a grant that holds everywhere
   */
  readonly remove: (grant: Permission, organizationId?: string) => Promise<void>;
}

const useGrants = (id: string) => $api.useQuery('get', '/api/user/{id}/permissions', { params: { path: { id } } });

/** The direct grants of a user, everywhere and in organizations, and how to change them. */
export function useDirectGrants(userId: string, username: string): DirectGrants {
  const { t } = useTranslation();
  const act = useSubmit();
  const query = useGrants(userId);
  const change = async (body: Change): Promise<boolean> => {
    const options = { params: { path: { id: userId } }, body };
    const answer = await act.run(() => api.PATCH('/api/user/{id}/permissions', options), t('act.saved'));
    if (answer?.data) queryClient.setQueryData(ofUser(userId).queryKey, answer.data);
    return answer !== undefined;
  };
  const remove = async (grant: Permission, organizationId?: string): Promise<void> => {
    const permission = codeOf(grant);
    const text = t('users.remove_grant_ask', { user: username, permission });
    const title = t('roles.remove', { permission });
    if (await ask({ title, text, confirm: t('act.remove') })) {
      await change({
        remove: [permission],
        ...(organizationId !== undefined && { remove_organization_id: organizationId }),
      });
    }
  };
  return { query, act, change, remove };
}
