import { createContext, useContext, type ReactNode } from 'react';
import type { components } from '../api/schema';
import { $api } from './api';
import { queryClient } from './query-client';

export type Me = components['schemas']['UserInfoWithPermsDto'];

const Context = createContext<Me | undefined>(undefined);

export function MeProvider({ me, children }: { readonly me: Me; readonly children: ReactNode }): ReactNode {
  return <Context value={me}>{children}</Context>;
}

/** Whoever is logged in. */
export function useMe(): Me {
  const me = useContext(Context);
  if (!me) throw new Error('There is no MeProvider above');
  return me;
}

const { queryKey } = $api.queryOptions('get', '/api/auth/me');

/** Shows what the service answered after a change. */
export function rememberMe(me: Me): void {
  queryClient.setQueryData(queryKey, me);
}

export const forgetMe = (): Promise<void> => queryClient.invalidateQueries({ queryKey });
