import { ErrorFactory } from '../platform/errors';
import { KnownUser } from '../users';

/** Whom the credentials speak of; `key` is the same for every way to write the same name, known or not. */
export interface LoginSubject {
  readonly user: KnownUser | undefined;
  readonly key: string;
}

/** Credentials that were right. */
export interface LoginProof {
  /** Authentication Method References (RFC 8176) of what was proved. Default: the method's own. */
  readonly amr?: readonly string[];
  /** Two factors in one, such as a passkey with user verification: no second one is asked for. */
  readonly isMultiFactor?: boolean;
  /**
   * What spends them (a code) or keeps them up (a hash), in the transaction that opens the session; with the user as it
   * is then.
   */
  spend?(user: KnownUser): Promise<void>;
}

/**
 * A way to log in. Lockout, disabled users and methods, second factors, the session and the audit are the login's own
 * business and hold for every method alike.
 */
export abstract class LoginMethod<Credentials extends object = object, Subject extends LoginSubject = LoginSubject> {
  /** The `type` of the login body; unique, of 32 characters at most. */
  abstract readonly type: string;

  /** Authentication Method References (RFC 8176) that a login by it stands for. */
  readonly amr: readonly string[] = [];

  /** Checks and documents the login body. */
  abstract readonly credentials: new () => Credentials;

  /** What wrong credentials are answered with, the same for unknown and known users. */
  abstract readonly refusal: ErrorFactory;

  /** Whether the method can be used at all as things are set up. */
  abstract isConfigured(): Promise<boolean>;

  abstract findSubject(credentials: Credentials): Promise<Subject>;

  /**
   * Judges the credentials, in the same time whether there is a user or not; undefined when they are wrong.
   * @param subject what `findSubject` answered.
   */
  abstract verify(
    credentials: Credentials,
    user: KnownUser | undefined,
    subject: Subject,
  ): Promise<LoginProof | undefined>;
}
