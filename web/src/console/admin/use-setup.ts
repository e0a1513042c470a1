import { $api } from '../api';
import { useMay } from '../may';
import { useMe } from '../me';
import type { Setting } from './settings-page';

export const FINISHED = 'app.setup_finished';

export interface Setup {
  readonly isFinished: boolean;
  readonly settings: readonly Setting[];
  /** undefined: whoever may not read the audit cannot know. */
  readonly hasOwnPassword: boolean | undefined;
  readonly hasName: boolean;
  readonly hasMail: boolean;
}

/** How far the first steps are, told from what is set and what was done; undefined while that is not known. */
export function useSetup(): Setup | undefined {
  const may = useMay();
  const me = useMe();
  const settings = $api.useQuery('get', '/api/setting', {}, { enabled: may('setting:update') });
  const isOpen = settings.data?.items.some(({ key, value }) => key === FINISHED && value === false) ?? false;
  const changes = $api.useQuery(
    'get',
    '/api/audit',
    { params: { query: { action: 'password.change', actor_id: me.id, page_size: 1 } } },
    { enabled: isOpen && may('audit:read') },
  );
  if (!settings.data || (isOpen && may('audit:read') && !changes.data)) return undefined;
  const isSet = (wanted: string): boolean => settings.data.items.some(({ key, is_set }) => key === wanted && is_set);
  return {
    isFinished: !isOpen,
    settings: settings.data.items,
    hasOwnPassword: changes.data && changes.data.items.length > 0,
    hasName: isSet('app.name'),
    hasMail: isSet('email.smtp.host'),
  };
}
