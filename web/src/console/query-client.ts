import { QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { isProblem } from '../api/problem';
import { meOptions, type Me } from './me';

const MAX_RETRIES = 1;
const { queryKey: ME } = meOptions;

/** Asks anew who is logged in where an answer says that nobody is: the frame sees to a login then. */
export function noticeSignedOut(error: unknown): void {
  const isOut = isProblem(error) && error.status === 401 && error.code !== 'reauthentication_required';
  if (isOut) void forgetMe();
}

/** A refusal is an answer; only what did not reach the service, or found it busy, is asked again. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[1] !== ME[1]) noticeSignedOut(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < MAX_RETRIES && !(isProblem(error) && error.status < 500),
    },
  },
});

/** Shows what the service answered after a change of oneself. */
export function rememberMe(me: Me): void {
  queryClient.setQueryData(ME, me);
}

export const forgetMe = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ME });

/** After something was made or has gone: lists in sight are asked for anew, and others not shown again as they were. */
export async function forgetLists(queryKey: QueryKey): Promise<void> {
  queryClient.removeQueries({ queryKey, type: 'inactive' });
  await queryClient.invalidateQueries({ queryKey });
}
