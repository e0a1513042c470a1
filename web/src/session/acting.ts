import { useEffect, useState } from 'react';
import { stopActing } from '../shared/stop-acting';
import { leaveBy } from './leave';
import type { Me } from './me';
import type { Notify } from './notify';

/** The page from which the actor began. */
const pageOf = ({ id }: Me): string => `/admin/users/${id}`;

/** Ends the acting session of the page's user, and leads back to the page of the actor. */
export function useStopActing(me: Me, notify: Notify): { readonly busy: boolean; readonly stop: () => Promise<void> } {
  const [busy, setBusy] = useState(false);
  const end = async (): Promise<boolean> => {
    setBusy(true);
    const isOver = await stopActing();
    setBusy(false);
    if (!isOver) notify.requestError(undefined);
    return isOver;
  };
  return { busy, stop: () => leaveBy(end, pageOf(me)) };
}

interface ActingEndedProps {
  readonly me: Me;
  /** Error code of the ended session. Undefined while it lives. */
  readonly code: string | undefined;
}

/** Goes on with the own session after the acting session has ended by itself. */
export function ActingEnded({ me, code }: ActingEndedProps): null {
  const address = pageOf(me);
  useEffect(() => {
    if (code !== undefined) void leaveBy(stopActing, address);
  }, [code, address]);
  return null;
}
