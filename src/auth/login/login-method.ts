import { ErrorFactory } from '../../platform/errors';
import { UserView } from '../../users';

/**
 * What limits wrong attempts. All count for the client's address. `account`: they also count for the account, and a lock
 * of the account applies. `lock`: a lock applies, but attempts are counted elsewhere. `address`: no lock applies, because
 * the secret cannot be guessed or its attempts are counted elsewhere.
 */
export type AttemptLimits = 'account' | 'lock' | 'address';

/** The account that the credentials name. `key` is the same for every spelling of an identifier, known or unknown. */
export interface LoginSubject {
  readonly user: UserView | undefined;
  readonly key: string;
  /** How attempts are limited. Default: `account`. */
  readonly limits?: AttemptLimits;
}

/** The proof of correct credentials. */
export interface LoginProof {
  /** Authentication Method References (RFC 8176) of the proof. Default: the method's `amr`. */
  readonly amr?: readonly string[];
  /**
   * Whether the proof includes two factors, such as a passkey with user verification. Then no second factor is
   * required.
   */
  readonly isMultiFactor?: boolean;
  /**
   * Consumes the proof (a code) or renews it (a hash) in the transaction that opens the session. Gets the user as
   * locked there.
   */
  consume?(user: UserView): Promise<void>;
}

/** Browser state that is sent with the credentials. */
export interface LoginBrowser {
  /** Hashes of the secrets that the browser received with passkey challenges. */
  readonly secrets: readonly string[];
  /** Hashes of the secrets that the browser received with requests for codes. */
  readonly codeSecrets?: readonly string[];
}

/**
 * A login method. Lockout, disabled users and methods, second factors, sessions and audit are the same for every method
 * and handled by the login itself.
 */
export abstract class LoginMethod<Credentials extends object = object, Subject extends LoginSubject = LoginSubject> {
  /** The `type` of the login body. Unique, at most 32 characters. */
  abstract readonly type: string;

  /** Authentication Method References (RFC 8176) of a login with this method. */
  readonly amr: readonly string[] = [];

  /** Validates and documents the login body. */
  abstract readonly credentials: new () => Credentials;

  /** The error for wrong credentials, the same for unknown and known users. */
  abstract readonly createError: ErrorFactory;

  /** Whether the current configuration supports the method. */
  abstract isConfigured(): Promise<boolean>;

  abstract findSubject(credentials: Credentials, browser?: LoginBrowser): Promise<Subject>;

  /**
   * Verifies the credentials. Returns undefined when they are wrong. Must take the same time with and without a user.
   * @param subject the result of `findSubject`
   * @param browser for challenges that only one browser may answer
   */
  abstract verify(
    credentials: Credentials,
    user: UserView | undefined,
    subject: Subject,
    browser?: LoginBrowser,
  ): Promise<LoginProof | undefined>;
}
