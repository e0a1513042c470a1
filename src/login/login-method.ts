import { ErrorFactory } from '../platform/errors';
import { UserView } from '../users';

/** The account that the credentials name. `key` is the same for every spelling of an identifier, known or unknown. */
export interface LoginSubject {
  readonly user: UserView | undefined;
  readonly key: string;
}

/** Credentials that were correct. */
export interface LoginProof {
  /** Authentication Method References (RFC 8176) of what was proved. Default: the method's own. */
  readonly amr?: readonly string[];
  /** Two factors in one, such as a passkey with user verification: no second one is asked for. */
  readonly isMultiFactor?: boolean;
  /**
   * What spends them (a code) or keeps them up (a hash), in the transaction that opens the session; with the user as it
   * is then.
   */
  consume?(user: UserView): Promise<void>;
}

/** What the browser shows beside the credentials. */
export interface LoginBrowser {
  /** Hashes of the secrets that it was given when it asked for a challenge. */
  readonly secrets: readonly string[];
}

/**
 * A way to log in. Lockout, disabled users and methods, second factors, session and audit are the same for every method:
 * the login takes care of them.
 */
export abstract class LoginMethod<Credentials extends object = object, Subject extends LoginSubject = LoginSubject> {
  /** The `type` of the login body; unique, of 32 characters at most. */
  abstract readonly type: string;

  /** Authentication Method References (RFC 8176) of a login by it. */
  readonly amr: readonly string[] = [];

  /** Checks and documents the login body. */
  abstract readonly credentials: new () => Credentials;

  /** What wrong credentials are answered with, the same for unknown and known users. */
  abstract readonly refusal: ErrorFactory;

  /** Whether the method can be used at all as things are set up. */
  abstract isConfigured(): Promise<boolean>;

  abstract findSubject(credentials: Credentials): Promise<Subject>;

  /**
   * Verifies the credentials; undefined when they are wrong. Takes the same time whether there is a user or not.
   * @param subject what `findSubject` answered.
   * @param browser for challenges that one browser alone may answer.
   */
  abstract verify(
    credentials: Credentials,
    user: UserView | undefined,
    subject: Subject,
    browser?: LoginBrowser,
  ): Promise<LoginProof | undefined>;
}
