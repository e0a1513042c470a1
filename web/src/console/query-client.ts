import { QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { isProblem } from '../api/problem';
import { meOptions, type Me } from './me';

const MAX_RETRIES = 1;
const { queryKey: ME } = meOptions;

/** Reloads the signed-in user after a 401. The shell then handles the ended session. */
export function noticeSignedOut(error: unknown): void {
  const isOut = isProblem(error) && error.status === 401 && error.code !== 'reauthentication_required';
  if (isOut) void invalidateMe();
}

/** Retries network errors and server errors only. Other problems are final. */
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

/** Updates the cached user after the user has changed the account. */
export function rememberMe(me: Me): void {
  queryClient.setQueryData(ME, me);
}

export const invalidateMe = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ME });

/** Reloads visible lists after an entry was added or removed, and drops all others from the cache. */
export async function invalidateLists(queryKey: QueryKey): Promise<void> {
  queryClient.removeQueries({ queryKey, type: 'inactive' });
  await queryClient.invalidateQueries({ queryKey });
}
