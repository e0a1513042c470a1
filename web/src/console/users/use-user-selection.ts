import { useState } from 'react';
import type { AdminUser } from './admin-user';

/** Users that one request may change. */
export const MAX_CHOSEN = 100;

export interface UserSelection {
  /** Usernames by id. */
  readonly chosen: ReadonlyMap<string, string>;
  /** Adds the users, or removes them if all of them are chosen or no more can be. */
  readonly toggle: (users: readonly AdminUser[]) => void;
  readonly clear: () => void;
}

const none: ReadonlyMap<string, string> = new Map();

/** Keeps selected users across pages of a list. A changed filter ends the selection, which the list would hide. */
export function useUserSelection(filter: string): UserSelection {
  const [{ of, chosen }, set] = useState({ of: filter, chosen: none });
  const current = of === filter ? chosen : none;
  return {
    chosen: current,
    toggle: (users) => {
      const next = new Map(current);
      const isRemoving = next.size >= MAX_CHOSEN || users.every(({ id }) => next.has(id));
      for (const { id, username } of users) {
        if (isRemoving) next.delete(id);
        else if (next.size < MAX_CHOSEN) next.set(id, username);
      }
      set({ of: filter, chosen: next });
    },
    clear: () => {
      set({ of: filter, chosen: none });
    },
  };
}
