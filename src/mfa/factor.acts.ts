import { ActEvent, defineAct, defineFeedEvents, eventField } from '../audit';
import { AttemptState, lockEvents } from '../users';

const data = {
  factor: eventField.text('`totp`, `passkey`, `recovery` or, after a reset, `all`'),
  factor_id: eventField.id('Its id'),
};

export const factorEvents = defineFeedEvents({
  'factor.added': { meaning: 'The user has a new second factor.', subject: 'user', data, optional: ['factor_id'] },
  'factor.removed': {
    meaning: 'A second factor, or all of them, was removed.',
    subject: 'user',
    data,
    optional: ['factor_id'],
  },
});

interface FactorState {
  readonly type: 'totp' | 'passkey' | 'recovery';
  readonly id: string;
}

interface AddedState extends AttemptState {
  readonly name?: string;
  readonly source?: 'import';
}

const added = ({ after: { type = '', id } }: { readonly after: AddedState }): ActEvent[] => [
  factorEvents('factor.added', { factor: type, factor_id: id }),
];

export const factorActs = {
  /** Also rejected attempts to confirm a new factor. */
  add: defineAct<{ after?: AddedState }>('factor.add', { events: added, rejected: lockEvents }),
  rename: defineAct<{ after: FactorState & { readonly name: string } }>('factor.update'),
  delete: defineAct<{ before: FactorState }>('factor.delete', {
    events: ({ before: { type, id } }) => [factorEvents('factor.removed', { factor: type, factor_id: id })],
  }),
  createRecoveryCodes: defineAct<{ after: { readonly count: number } }>('recovery_codes.create', {
    events: () => [factorEvents('factor.added', { factor: 'recovery' })],
  }),
  reset: defineAct('user.reset_mfa', { events: () => [factorEvents('factor.removed', { factor: 'all' })] }),
  countPasskey: defineAct<{
    before: { readonly id: string; readonly count: number };
    after: { readonly count: number };
  }>('passkey.count'),
  revokeTrustedDevice: defineAct<{ before: { readonly id: string } }>('trusted_device.revoke'),
};
