/** What applications may know a user by. */
export interface UserNames {
  readonly userId: string;
  readonly roles: readonly TrustedName[];
  readonly groups: readonly TrustedName[];
  /** Whether some of the roles are held in an organization: clients with the scope `organization` see all of those. */
  readonly isNamedInOrganization: boolean;
}

export interface TrustedName {
  readonly id: string;
  /** As claims have it. */
  readonly name: string;
}

/** Which users the OAuth clients trust by name: by their `access`, or by a claim that contains roles or groups. */
export abstract class ApplicationTrust {
  /**
   * The owners of the clients, enabled or not, that trust one of the names. null: also clients of the service or of an
   * organization. Runs in the caller's transaction.
   */
  abstract ownersOfTrusting(names: UserNames): Promise<readonly (string | null)[]>;
}
