import { defineAct } from '../audit';
import { userEvents } from '../users';

interface PasswordState {
  readonly has_password: boolean;
  readonly must_change_password: boolean;
}

interface LockState {
  readonly locked_seconds: number;
}

export const userAdminActs = {
  unlock: defineAct<{ before: LockState; after: LockState }>('user.unlock', {
    events: () => [userEvents('user.unlocked')],
  }),
  setPassword: defineAct<{ before: PasswordState; after: PasswordState }>('password.set', {
    events: () => [userEvents('user.password_changed', { how: 'set' })],
  }),
  requestPasswordReset: defineAct<{ after: { readonly channel: string } }>('password.request_reset'),
  /** The filter, or what is exported. */
  export: defineAct<{ after: object }>('user.export'),
};
