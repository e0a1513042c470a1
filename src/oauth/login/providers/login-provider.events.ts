import { Caller } from '../../../platform/context';
import { defineEvent } from '../../../platform/events';

export interface ProviderDeletionEvent {
  readonly providerId: string;
  readonly caller: Caller;
  /** Whatever hangs on the provider goes with it. */
  readonly force: boolean;
  /** Where a listener notes what it did, for the audit. */
  readonly done: Record<string, number>;
}

/** A login provider is about to go; what hangs on it may refuse that. */
export const loginProviderDeleting = defineEvent<ProviderDeletionEvent>('login_provider.deleting', 'in_transaction');
