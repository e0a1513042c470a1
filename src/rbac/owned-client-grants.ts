import { Grant } from './permission';

/**
 * What the OAuth clients that users own may request: their scopes, and the resources they may introspect. The owner can
 * use both, so they count as the owner's grants when another account could be taken over.
 */
export abstract class OwnedClientGrants {
  /** Includes disabled clients. Runs in the caller's transaction. */
  abstract ofOwners(userIds: readonly string[]): Promise<readonly Grant[]>;
}
