import { QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { isProblem } from '../api/problem';

const MAX_RETRIES = 1;
const ME = ['get', '/api/auth/me'];

/** Asks anew who is logged in where an answer says that nobody is: the frame leaves for the login then. */
export function noticeSignedOut(error: unknown): void {
  const isOut = isProblem(error) && error.status === 401 && error.code !== 'reauthentication_required';
  if (isOut) void queryClient.invalidateQueries({ queryKey: ME });
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

/** After something was made or has gone: lists in sight are asked for anew, and others not shown again as they were. */
export async function forgetLists(queryKey: QueryKey): Promise<void> {
  queryClient.removeQueries({ queryKey, type: 'inactive' });
  await queryClient.invalidateQueries({ queryKey });
}
