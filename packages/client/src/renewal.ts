import type { Turn } from './turn';

/** What the service answered where it gave no new tokens; undefined: they are there, the call may be tried again. */
export type Refusal = Response | undefined;

/** Begins an attempt at a call, and gives what renews the tokens should it find them ended. */
export type Renewal = () => () => Promise<Refusal>;

/**
 * Renews the tokens of one client: however many calls ask at once, they share one answer; and where tokens came since the
 * attempt began, nobody is asked.
 */
export function renewalBy(refresh: () => Promise<Refusal>, turn: Turn): Renewal {
  let pending: Promise<Refusal> | undefined;
  let renewals = 0;
  const take = async (begun: number): Promise<Refusal> => {
    const refusal = await turn(begun, refresh);
    if (!refusal) renewals += 1;
    return refusal;
  };
  return () => {
    const [begun, before] = [Date.now(), renewals];
    return async () => {
      if (renewals > before) return undefined;
      pending ??= take(begun).finally(() => {
        pending = undefined;
      });
      return (await pending)?.clone();
    };
  };
}
