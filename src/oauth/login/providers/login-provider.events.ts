import { Caller } from '../../../platform/context';
import { defineEvent } from '../../../platform/jobs/events';

export interface ProviderDeletionEvent {
  readonly providerId: string;
  readonly caller: Caller;
  /** Whether dependent records are deleted, too. */
  readonly force: boolean;
  /** Listeners add here what they deleted, for the audit. */
  readonly done: Record<string, number>;
}

/** Published before a login provider is deleted. A listener throws to prevent the deletion. */
export const loginProviderDeleting = defineEvent<ProviderDeletionEvent>('login_provider.deleting', 'in_transaction');
