import { can, type Session, type User } from 'castellan-client';
import { useCallback, useEffect, useState } from 'react';
import { useAccount, useClient } from './provider';
import { useSubmission, type SubmissionState } from './use-submission';

/** The logged-in user; null: no user is logged in, or has something to do first; undefined: not known yet. */
export function useUser(): User | null | undefined {
  const { status, user } = useAccount();
  return status === 'loading' ? undefined : user;
}

/**
 * Returns whether the user holds a permission, as `can` of `castellan-client`. Changes within a second when the
 * permission is given or taken away. For display only: the service checks every request itself.
 */
export const usePermission = (permission: string, level?: number): boolean => can(useAccount().user, permission, level);

export interface Sessions extends SubmissionState {
  /** Newest activity first. Undefined until they are loaded. */
  readonly sessions: readonly Session[] | undefined;
  readonly reload: () => Promise<void>;
  readonly end: (id: string) => Promise<boolean>;
  /** Ends all sessions but this one. */
  readonly endOthers: () => Promise<boolean>;
}

/** The sessions of the logged-in user. */
export function useSessions(): Sessions {
  const client = useClient();
  const userId = useAccount().user?.id;
  const { send, isPending, problem } = useSubmission();
  const [sessions, setSessions] = useState<readonly Session[]>();
  const reload = useCallback(async () => {
    const { data } = await client.GET('/api/auth/sessions').catch(() => ({ data: undefined }));
    if (data) setSessions(data.items);
  }, [client]);
  useEffect(() => {
    setSessions(undefined);
    if (userId !== undefined) void reload();
  }, [userId, reload]);
  const end = async (id: string): Promise<boolean> => {
    const answer = await send(() => client.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } }));
    if (answer) await reload();
    return answer !== undefined;
  };
  const endOthers = async (): Promise<boolean> => {
    const answer = await send(() => client.DELETE('/api/auth/sessions'));
    if (answer) await reload();
    return answer !== undefined;
  };
  return { sessions, reload, end, endOthers, isPending, problem };
}
