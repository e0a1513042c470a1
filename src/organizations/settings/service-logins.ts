/** A login provider, as far as organizations choose among them. */
export interface ServiceProvider {
  readonly name: string;
  readonly label: string;
  /** null: for all users. */
  readonly organizationId: string | null;
}

/** What the service offers for logging in. A port: the login methods and the login providers know organizations. */
export abstract class ServiceLogins {
  /** The types of the login methods that are enabled and configured. */
  abstract methods(): Promise<readonly string[]>;

  /** The enabled login providers, at most a second old. */
  abstract providers(): Promise<readonly ServiceProvider[]>;

  /** Same as `providers`, from the database. */
  abstract readProviders(): Promise<readonly ServiceProvider[]>;
}
