import { useState } from 'react';
import { api } from '../api/client';
import { leaveBy } from './leave';
import type { Notify } from './notify';

const UNAUTHENTICATED = 401;

/** Goes to the login page only after the session has ended: until then its cookies still work. */
export function useLogOut(notify: Notify): { readonly busy: boolean; readonly logOut: () => Promise<void> } {
  const [busy, setBusy] = useState(false);
  const end = async (): Promise<boolean> => {
    setBusy(true);
    try {
      const { error, response } = await api.POST('/api/auth/logout');
      const isOut = response.ok || response.status === UNAUTHENTICATED;
      if (!isOut) notify.requestError(error);
      return isOut;
    } catch {
      notify.requestError(undefined);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, logOut: () => leaveBy(end, '/login') };
}
