export const setUpKinds = ['domain', 'invitation', 'oauth_client'] as const;

/** What acts later in an organization for the user who set it up. */
export interface SetUp {
  readonly kind: (typeof setUpKinds)[number];
  readonly id: string;
  readonly name: string;
}

/** With the organization in which it acts, and the users who answer for it. */
export interface PlacedSetUp extends SetUp {
  readonly organizationId: string;
  readonly userIds: readonly string[];
  /** Whether one of these users is disabled, so that it does not act. */
  readonly isSuspended: boolean;
}

/** Who set it up, and where. */
export interface SetUpPlace {
  readonly userIds: readonly string[];
  /** Undefined: in every organization. */
  readonly organizationId?: string;
}

/** A feature in which users set up what acts later for them. It also judges them when it acts: a disabled one suspends it. */
export interface SetUpSource {
  list(place: SetUpPlace): Promise<readonly PlacedSetUp[]>;
  /** Audits each, and returns them. Runs in the transaction that ends the user's authority. */
  switchOff(place: SetUpPlace, reason: string): Promise<readonly SetUp[]>;
}
