import { createContext, useContext, type ReactNode } from 'react';
import type { Me } from '../session/me';
import { $api } from './api';

export type { Me };

/** Query for the signed-in user, shared by all components. */
export const meOptions = $api.queryOptions('get', '/api/auth/me');

const Context = createContext<Me | undefined>(undefined);

export function MeProvider({ me, children }: { readonly me: Me; readonly children: ReactNode }): ReactNode {
  return <Context value={me}>{children}</Context>;
}

/** Returns the signed-in user. */
export function useMe(): Me {
  const me = useContext(Context);
  if (!me) throw new Error('useMe requires a MeProvider');
  return me;
}
