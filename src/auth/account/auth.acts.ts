import { defineAct } from '../../audit';
import { AttemptState, lockEvents, userEvents } from '../../users';

export interface TermsState {
  readonly terms_version: string | null;
}

interface ResetState extends AttemptState {
  readonly channel?: string;
}

export const passwordActs = {
  change: defineAct('password.change', {
    events: () => [userEvents('user.password_changed', { how: 'change' })],
  }),
  /** Also rejected codes. */
  reset: defineAct<{ after?: ResetState }>('password.reset', {
    events: () => [userEvents('user.password_changed', { how: 'reset' })],
    rejected: lockEvents,
  }),
  prove: defineAct<{ after?: AttemptState }>('password.prove', { rejected: lockEvents }),
};

export const authActs = {
  acceptTerms: defineAct<{ before: TermsState; after: TermsState }>('user.accept_terms', {
    events: () => [userEvents('user.updated', { fields: ['terms_version'] })],
  }),
  proveCode: defineAct<{ after?: AttemptState }>('code.prove', { rejected: lockEvents }),
  refuseCode: defineAct<{ after: { readonly purpose: string; readonly channel: string } }>('code.refuse'),
  reauthenticate: defineAct<{ after?: AttemptState }>('session.reauthenticate', { rejected: lockEvents }),
};
