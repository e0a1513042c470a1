import { Grant } from '../permission';

/**
 * What the OAuth clients that users own may request: their scopes, the resources they may introspect, and the organizations
 * that they are tied to. The owner can use these, so they count as the owner's grants when another account could be taken
 * over.
 */
export abstract class OwnedClientGrants {
  /** Includes disabled clients. Runs in the caller's transaction. */
  abstract ofOwners(userIds: readonly string[]): Promise<readonly Grant[]>;

  /** What their clients that are tied to organizations need there, by the organization's id. */
  abstract byOrganization(userIds: readonly string[]): Promise<ReadonlyMap<string, readonly Grant[]>>;
}
