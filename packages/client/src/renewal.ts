import type { RefreshError, Turn } from './turn';

/** Call this before a request. The returned function refreshes the tokens if the request finds them expired. */
export type Renewal = () => () => Promise<RefreshError>;

/**
 * Refreshes the tokens of one client. Concurrent calls share one refresh. A call that started before the last
 * successful refresh does not refresh again.
 */
export function renewalBy(refresh: () => Promise<RefreshError>, turn: Turn): Renewal {
  let pending: Promise<RefreshError> | undefined;
  let renewals = 0;
  const runRefresh = async (begun: number): Promise<RefreshError> => {
    const errorResponse = await turn(begun, refresh);
    if (!errorResponse) renewals += 1;
    return errorResponse;
  };
  return () => {
    const [begun, before] = [Date.now(), renewals];
    return async () => {
      if (renewals > before) return undefined;
      pending ??= runRefresh(begun).finally(() => {
        pending = undefined;
      });
      return (await pending)?.clone();
    };
  };
}
