import { Injectable } from '@nestjs/common';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { AuditService } from '../audit';
import { CacheFactory, ReadThroughCache } from '../platform/cache';
import { Caller, RequestContext, RequestOrigin } from '../platform/context';
import { newId } from '../platform/crypto';
import { platformErrors } from '../platform/errors';
import { RateLimiterService } from '../platform/http';
import { sessionErrors } from '../session';
import { UserView, UserCache } from '../users';
import { FactorChangesService } from './factor-changes.service';
import { mfaErrors } from './mfa.errors';
import { Passkey } from './mfa.entities';
import { AnsweredCeremony, WebAuthnContext, PasskeyCeremoniesService, textAt } from './passkey-ceremonies.service';
import { NewPasskey, PasskeyRepository } from './passkey.repository';
import { passkeyOptionsPerMinutePerAddress, passkeyOptionsPerMinutePerUser } from './mfa.settings';
import { factorActs } from './factor.acts';

const ADDRESS_LIMIT = { setting: passkeyOptionsPerMinutePerAddress, windowSeconds: 60 };
const USER_LIMIT = { setting: passkeyOptionsPerMinutePerUser, windowSeconds: 60 };
const ANY_USER = 'anybody';
const MAX_PASSKEYS = 20;
/** At most 1,023 bytes (WebAuthn §5.8.3), in base64url. */
const CREDENTIAL_ID = /^[\w-]{1,1400}$/;
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

export interface PasskeyProof {
  /** Authentication Method References (RFC 8176). */
  readonly amr: readonly string[];
  /**
   * Stores the new signature counter. Call in a transaction. Returns false when a parallel use was faster or the
   * passkey is a copy.
   */
  consume(): Promise<boolean>;
}

/** Registers, renames and verifies passkeys. */
@Injectable()
export class PasskeysService {
  private readonly any: ReadThroughCache<boolean>;

  constructor(
    caches: CacheFactory,
    private readonly passkeys: PasskeyRepository,
    private readonly ceremonies: PasskeyCeremoniesService,
    private readonly changes: FactorChangesService,
    private readonly users: UserCache,
    private readonly limiter: RateLimiterService,
    private readonly audit: AuditService,
  ) {
    this.any = caches.create<boolean>('passkey', { maxEntries: 1 });
  }

  /**
   * Throws `rate_limited`, `too_many_passkeys`, or `validation_failed` when the service is reached by an IP address.
   */
  async registrationOptions(caller: Caller, origin: RequestOrigin): Promise<PublicKeyCredentialCreationOptionsJSON> {
    await this.limiter.count(USER_LIMIT, caller.userId);
    const user = await this.users.get(caller.userId);
    if (!user) throw sessionErrors.sessionRevoked();
    const known = await this.passkeys.ofUser(user.id);
    if (known.length >= MAX_PASSKEYS) throw mfaErrors.tooManyPasskeys();
    return this.ceremonies.creationOptions(registering(caller, origin), user, known);
  }

  /** Throws `validation_failed` on `response`, or `too_many_passkeys`. */
  async register(caller: Caller, name: string, response: unknown, origin: RequestOrigin): Promise<Passkey> {
    const made = await this.ceremonies.verifyRegistration(registering(caller, origin), response);
    if (!made || !CREDENTIAL_ID.test(made.credential.id)) throw badResponse();
    const { credential, aaguid, credentialBackedUp, credentialDeviceType, rpID } = made;
    const passkey: NewPasskey = {
      id: newId(),
      userId: caller.userId,
      credentialId: credential.id,
      rpId: rpID ?? '',
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: String(credential.counter),
      transports: knownTransports(credential.transports),
      isDeviceBound: credentialDeviceType === 'singleDevice',
      isBackedUp: credentialBackedUp,
      name,
      aaguid,
    };
    return this.changes.added(
      caller,
      amrOf(passkey, true),
      () => this.insert(passkey),
      ({ id }) => factorActs.add({ after: { type: 'passkey', id, name } }),
    );
  }

  /** Throws `not_found`. */
  rename(caller: Caller, id: string, name: string): Promise<Passkey> {
    const work = async (): Promise<Passkey> => {
      const renamed = await this.passkeys.rename(caller.userId, id, name);
      if (!renamed) throw platformErrors.notFound();
      return renamed;
    };
    return this.changes.labelled(caller, work, () =>
      factorActs.rename({
        after: { type: 'passkey', id, name },
      }),
    );
  }

  /** WebAuthn request options that allow only the user's passkeys. Throws `rate_limited`. */
  async options(context: WebAuthnContext, userId: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    await this.limiter.count(USER_LIMIT, userId);
    return this.ceremonies.requestOptions(context, await this.passkeys.ofUser(userId));
  }

  /**
   * WebAuthn request options for a login. They allow any discoverable passkey of this service, which then names its
   * user. Throws `rate_limited`.
   * @param markBrowser binds the challenge to the browser and returns the hash of its secret
   */
  async loginOptions(
    { origin, limitKey }: RequestContext,
    markBrowser: () => Promise<string>,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    await this.limiter.count(ADDRESS_LIMIT, limitKey);
    return this.ceremonies.requestOptions({ ceremony: 'login', boundTo: await markBrowser(), origin });
  }

  /** The owner of the credential named in the response, unverified. */
  async ownerOf(response: unknown): Promise<string | undefined> {
    return (await this.find(response))?.userId;
  }

  /** Returns the users who have a passkey, in no particular order. */
  ownersAmong(userIds: readonly string[]): Promise<string[]> {
    return this.passkeys.ownersAmong(userIds);
  }

  /** Whether any user has a passkey. */
  async exist(): Promise<boolean> {
    return (await this.any.get(ANY_USER, () => this.passkeys.exist())) ?? false;
  }

  /**
   * Returns undefined when the passkey belongs to another user, the response is invalid, or the passkey may be a copy.
   */
  async verify(context: AnsweredCeremony, userId: string, response: unknown): Promise<PasskeyProof | undefined> {
    const passkey = await this.find(response);
    if (passkey?.userId !== userId || !isHandleOf(response, userId, context)) return undefined;
    const assertion = await this.ceremonies.verifyAssertion(context, response, passkey);
    if (!assertion) return undefined;
    if (isCopy(Number(passkey.counter), assertion.newCounter)) {
      await this.reportCopy(passkey, assertion.newCounter);
      return undefined;
    }
    return {
      amr: amrOf(passkey, assertion.userVerified),
      consume: () => this.passkeys.consumeCount(passkey.id, assertion.newCounter, assertion.credentialBackedUp),
    };
  }

  private async insert(passkey: NewPasskey): Promise<Passkey> {
    if ((await this.passkeys.ofUser(passkey.userId)).length >= MAX_PASSKEYS) throw mfaErrors.tooManyPasskeys();
    const inserted = await this.passkeys.insert(passkey);
    if (!inserted) throw badResponse();
    await this.any.invalidate(ANY_USER);
    return inserted;
  }

  private async find(response: unknown): Promise<Passkey | null> {
    const id = textAt(response, 'id');
    return id !== undefined && CREDENTIAL_ID.test(id) ? this.passkeys.findByCredential(id) : null;
  }

  /** Audits a possible copy of a passkey for the owner and auditors. */
  private async reportCopy({ id, userId, counter }: Passkey, newCounter: number): Promise<void> {
    const user: UserView | undefined = await this.users.get(userId);
    await this.audit.recordFailure(factorActs.countPasskey, {
      target: { type: 'user', id: userId, ...(user && { label: user.username }) },
      before: { id, count: Number(counter) },
      after: { count: newCounter },
      reason: 'The signature counter did not increase: the passkey may have been copied',
    });
  }
}

/** Reported by the client, unsigned. */
const knownTransports = (transports: unknown): string[] =>
  Array.isArray(transports) ? TRANSPORTS.filter((transport) => transports.includes(transport)) : [];

/** RFC 8176 §2: `hwk` for a hardware-bound key, `swk` for a synced one, `user` for user verification. */
function amrOf({ isDeviceBound }: Pick<Passkey, 'isDeviceBound'>, userVerified: boolean): string[] {
  return [isDeviceBound ? 'hwk' : 'swk', ...(userVerified ? ['user'] : [])];
}

const registering = ({ sessionId }: Caller, origin: RequestOrigin): WebAuthnContext => ({
  ceremony: 'register',
  boundTo: sessionId,
  origin,
});

const badResponse = (): Error =>
  platformErrors.validationFailed({ fields: [{ field: 'response', code: 'passkey_response' }] });

/** WebAuthn §6.1.1: authenticators that do not count always report 0. */
function isCopy(known: number, reported: number): boolean {
  return (known > 0 || reported > 0) && reported <= known;
}

/**
 * The user handle must match the user. It is required when the request did not name a user (WebAuthn §7.2 step 6). Safari
 * sends an empty one for a missing one.
 */
function isHandleOf(response: unknown, userId: string, { ceremony }: AnsweredCeremony): boolean {
  const handle = textAt(response, 'response', 'userHandle');
  if (handle === undefined || handle === '') return ceremony !== 'login';
  return Buffer.from(handle, 'base64url').toString('utf8') === userId;
}
