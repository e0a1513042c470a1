import type { CastellanClient, Pending, User } from 'castellan-client';
import { createContext, useContext, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { type Account, AccountStore } from './account-store';

interface Castellan {
  readonly client: CastellanClient;
  readonly store: AccountStore;
}

const Context = createContext<Castellan | undefined>(undefined);

export interface CastellanProviderProps {
  /** Create it once, outside of components. */
  readonly client: CastellanClient;
  /** The user as the server that rendered the page found it; null: no user is logged in. Without it, the page asks. */
  readonly user?: User | null;
  /** As that server found it: what the user must do first. */
  readonly pending?: Pending | null;
  readonly children?: ReactNode;
}

/** Gives the components below the client and the logged-in user. */
export function CastellanProvider({ client, user, pending, children }: CastellanProviderProps): ReactNode {
  const [castellan] = useState<Castellan>(() => ({ client, store: new AccountStore(client, pending?.user ?? user) }));
  useEffect(() => castellan.store.start(), [castellan]);
  return <Context.Provider value={castellan}>{children}</Context.Provider>;
}

function useCastellan(): Castellan {
  const castellan = useContext(Context);
  if (!castellan) throw new Error('Castellan’s hooks and components need a <CastellanProvider> above them');
  return castellan;
}

/**
 * The client of the provider.
 *
 * @typeParam Own routes of the host, and `Login` bodies of its login methods, as for `createCastellanClient`
 */
export const useClient = <Own extends object = never, Login = never>(): CastellanClient<Own, Login> =>
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- TypeScript 5, which builds this package, needs it
  useCastellan().client as CastellanClient<Own, Login>;

/** The logged-in user, what the user must do first, and whether it is known yet. */
export function useAccount(): Account {
  const { store } = useCastellan();
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/** Asks the service for the user again, and resolves when the user is known. */
export const useReload = (): (() => Promise<void>) => useCastellan().store.reload;
