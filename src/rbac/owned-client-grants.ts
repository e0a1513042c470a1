import { Grant } from './permission';

/**
 * What the OAuth clients that a user owns may ask for. Their owner can get it as a token, so it counts as held by the
 * user where another account could be taken over.
 */
export abstract class OwnedClientGrants {
  /** Of all clients of the user, disabled ones too. In the caller's transaction. */
  abstract ofOwner(userId: string): Promise<readonly Grant[]>;
}
