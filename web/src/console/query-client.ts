import { hashKey, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { isProblem } from '../api/problem';
import { demandOf } from '../shared/demand';
import { $api } from './api';
import { meOptions, type Me } from './me';

const MAX_RETRIES = 1;
const { queryKey: ME } = meOptions;

/** Query for the step that the user must complete first. The sessions page uses another key for its list. */
export const stepOptions = $api.queryOptions('get', '/api/auth/sessions', {}, { staleTime: Infinity });
const { queryKey: STEP } = stepOptions;

function noticeSignedOut(error: unknown): void {
  const isOut = isProblem(error) && error.status === 401 && error.code !== 'reauthentication_required';
  if (isOut) void invalidateMe();
}

function reloadIfStepIsDue(error: unknown): void {
  if (demandOf(error)) void queryClient.invalidateQueries({ queryKey: STEP, exact: true }, { cancelRefetch: false });
}

/** After a response which says that the session has ended or a step is due: makes the shell find out and act on it. */
export function noticeLockout(error: unknown): void {
  noticeSignedOut(error);
  reloadIfStepIsDue(error);
}

/** Retries network errors and server errors only. Other problems are final. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey, queryHash }) => {
      if (queryKey[1] !== ME[1]) noticeSignedOut(error);
      if (queryHash !== hashKey(STEP)) reloadIfStepIsDue(error);
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
