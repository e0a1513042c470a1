import { createContext, useContext } from 'react';
import { api } from '../api/client';
import { isProblem } from '../api/problem';
import type { Me } from '../session/me';
import { answerOf } from './answer';
import { Store, useStore } from './store';

interface MeState {
  /** The last known user. Stays after an error. */
  readonly data: Me | undefined;
  readonly error: unknown;
}

const store = new Store<MeState>({ data: undefined, error: undefined });
/** Number of the last request or change. Answers of earlier requests are outdated. */
let turn = 0;
/** The last request, until it ends or a change outdates it. */
let running: Promise<void> | undefined;

async function load(own: number): Promise<void> {
  const { data, error } = await answerOf(() => api.GET('/api/auth/me'));
  if (own !== turn) return;
  running = undefined;
  store.set({ data: data ?? store.value.data, error });
}

/** Loads the signed-in user after a change of the account. Earlier requests may not know of the change. */
export function reloadChangedMe(): Promise<void> {
  turn += 1;
  running = load(turn);
  return running;
}

/** Loads the signed-in user. Calls during a request share it. */
export const reloadMe = (): Promise<void> => running ?? reloadChangedMe();

/** Updates the user after a change of the account. */
export function rememberMe(data: Me): void {
  turn += 1;
  running = undefined;
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
