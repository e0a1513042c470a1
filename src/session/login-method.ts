import { ErrorFactory } from '../platform/errors';
import { KnownUser } from '../users';

/** Whom the credentials speak of; `key` is the same for every way to write the same name, known or not. */
export interface LoginSubject {
  readonly user: KnownUser | undefined;
  readonly key: string;
}

/** Credentials that were right. */
export interface LoginProof {
  /** What spends them (a code), in the transaction that opens the session. */
  spend?(): Promise<void>;
  /** What may follow a login without being part of it (a rehash). */
  afterwards?(): Promise<void>;
}

/**
 * A way to log in. Lockout, disabled users and methods, second factors, the session and the audit are the login's own
 * business and hold for every method alike.
 */
export abstract class LoginMethod<Credentials extends object = object> {
  /** The `type` of the login body; unique. */
  abstract readonly type: string;

  /** Checks and documents the login body. */
  abstract readonly credentials: new () => Credentials;

  /** What wrong credentials are answered with, the same for unknown and known users. */
  abstract readonly refusal: ErrorFactory;

  /** Whether the method can be used at all as things are set up. */
  abstract isConfigured(): Promise<boolean>;

  abstract findSubject(credentials: Credentials): Promise<LoginSubject>;

  /** Judges the credentials, in the same time whether there is a user or not; undefined when they are wrong. */
  abstract verify(credentials: Credentials, user: KnownUser | undefined): Promise<LoginProof | undefined>;
}
