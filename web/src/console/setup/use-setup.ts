import { $api } from '../api';
import { useMay } from '../use-permission';
import { useMe } from '../me';
import type { Setting } from '../settings/setting';

export const FINISHED = 'app.setup_finished';

export interface Setup {
  readonly isFinished: boolean;
  readonly settings: readonly Setting[];
  /** Undefined if the user may not read the audit log. */
  readonly hasOwnPassword: boolean | undefined;
  readonly hasName: boolean;
  readonly hasMail: boolean;
}

function setupOf(settings: readonly Setting[], isFinished: boolean, changes: readonly unknown[] | undefined): Setup {
  const isSet = (wanted: string): boolean => settings.some(({ key, is_set }) => key === wanted && is_set);
  return {
    isFinished,
    settings,
    hasOwnPassword: changes && changes.length > 0,
    hasName: isSet('app.name'),
    hasMail: isSet('email.smtp.host'),
  };
}

interface SetupQuery {
  /** Undefined while loading. */
  readonly data: Setup | undefined;
  readonly error: unknown;
  readonly refetch: () => Promise<unknown>;
}

/** Derives the progress of the setup from settings and audit events. */
export function useSetup(): SetupQuery {
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
  const waits = isOpen && may('audit:read');
  const missing = [settings, ...(waits ? [changes] : [])].find(({ data }) => !data);
  if (missing) return { data: undefined, error: missing.error, refetch: missing.refetch };
  return {
    data: setupOf(settings.data?.items ?? [], !isOpen, changes.data?.items),
    error: null,
    refetch: settings.refetch,
  };
}
