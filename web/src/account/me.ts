import { createContext, useContext } from 'react';
import { api } from '../api/client';
import { isProblem } from '../api/problem';
import type { Me } from '../signed-in/me';
import { Store, useStore } from './store';

interface MeState {
  /** The last known user. Stays after an error. */
  readonly data: Me | undefined;
  readonly error: unknown;
}

const store = new Store<MeState>({ data: undefined, error: undefined });
let running: Promise<void> | undefined;

async function load(): Promise<void> {
  const { data } = store.value;
  try {
    const answer = await api.GET('/api/auth/me');
    store.set(answer.data ? { data: answer.data, error: undefined } : { data, error: answer.error });
  } catch (error) {
    store.set({ data, error });
  }
}

/** Loads the signed-in user. Calls during a request share it. */
export function reloadMe(): Promise<void> {
  running ??= load().finally(() => {
    running = undefined;
  });
  return running;
}

/** Updates the user after a change of the account. */
export function rememberMe(data: Me): void {
  store.set({ data, error: undefined });
}

export const useMeState = (): MeState => useStore(store);

/** Reloads the signed-in user after a 401. The frame then handles the ended session. */
export function noticeSignedOut(error: unknown): void {
  const isOut = isProblem(error) && error.status === 401 && error.code !== 'reauthentication_required';
  if (isOut) void reloadMe();
}

export const MeContext = createContext<Me | undefined>(undefined);

/** Returns the signed-in user. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe requires a MeContext');
  return me;
}
