import { Injectable } from '@nestjs/common';
import {
  AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  VerifiedAuthenticationResponse,
  VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import { isIP } from 'node:net';
import { RequestOrigin } from '../platform/context';
import { sha256 } from '../platform/crypto';
import { platformErrors } from '../platform/errors';
import { SettingsReader } from '../platform/settings';
import { appName } from '../settings';
import { UserView } from '../users';
import { Passkey } from './mfa.entities';
import { PasskeyRepository } from './passkey.repository';

/** The purpose of a challenge. A challenge is valid for one purpose only. */
export type Ceremony = 'register' | 'login' | 'second' | 'confirm';

/** The purpose and place of a WebAuthn ceremony. */
export interface WebAuthnContext {
  readonly ceremony: Ceremony;
  /** The session or MFA session that the challenge belongs to. For a login, the hash of the browser's secret. */
  readonly boundTo: string;
  readonly origin: RequestOrigin;
}

/** The context for verifying a response. The challenge may be bound to any of several values. */
export type AnsweredCeremony = Omit<WebAuthnContext, 'boundTo'> & { readonly boundTo: string | readonly string[] };

type Registration = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;
type Assertion = VerifiedAuthenticationResponse['authenticationInfo'];

/** The two WebAuthn ceremonies (level 3, §7.1 and §7.2). The library does the cryptography. */
@Injectable()
export class PasskeyCeremoniesService {
  constructor(
    private readonly passkeys: PasskeyRepository,
    private readonly settings: SettingsReader,
  ) {}

  /** Throws `validation_failed` when the service is reached by an IP address instead of a host name. */
  async creationOptions(
    context: WebAuthnContext,
    user: UserView,
    known: readonly Passkey[],
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const rpID = rpIdOf(context.origin);
    const options = await generateRegistrationOptions({
      rpName: await this.settings.get(appName),
      rpID,
      userName: user.username,
      userDisplayName: user.nickname || user.username,
      userID: new TextEncoder().encode(user.id),
      attestationType: 'none',
      excludeCredentials: credentialsOf(known, rpID),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await this.remember(context, rpID, options.challenge);
    return options;
  }

  /**
   * `known` lists the allowed passkeys. Without it the authenticator offers any discoverable one. Throws like
   * `creationOptions`.
   */
  async requestOptions(
    context: WebAuthnContext,
    known?: readonly Passkey[],
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const rpID = rpIdOf(context.origin);
    const options = await generateAuthenticationOptions({
      rpID,
      userVerification: known ? 'preferred' : 'required',
      ...(known && { allowCredentials: credentialsOf(known, rpID) }),
    });
    await this.remember(context, rpID, options.challenge);
    return options;
  }

  /**
   * Verifies the response to a registration. Returns undefined when the challenge is unknown or the response invalid.
   */
  async verifyRegistration(context: AnsweredCeremony, response: unknown): Promise<Registration | undefined> {
    const expected = await this.expectation(context, response);
    if (!expected) return undefined;
    try {
      const { registrationInfo } = await verifyRegistrationResponse({
        ...expected,
        response: withoutAttestation(response as RegistrationResponseJSON),
        requireUserVerification: true,
      });
      return registrationInfo;
    } catch {
      // The library throws for any defect of the client's response.
      return undefined;
    }
  }

  /** Same as `verifyRegistration`, for an assertion. Does not check the signature counter. */
  async verifyAssertion(
    context: AnsweredCeremony,
    response: unknown,
    { credentialId, publicKey, rpId }: Passkey,
  ): Promise<Assertion | undefined> {
    const expected = await this.expectation(context, response);
    if (expected?.expectedRPID !== rpId) return undefined;
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expected,
        response: response as AuthenticationResponseJSON,
        requireUserVerification: context.ceremony === 'login',
        credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
      });
      return verified ? authenticationInfo : undefined;
    } catch {
      // As above.
      return undefined;
    }
  }

  private async remember({ ceremony, boundTo }: WebAuthnContext, rpId: string, challenge: string): Promise<void> {
    await this.passkeys.insertChallenge({ challengeHash: sha256(challenge), ceremony, boundTo, rpId });
  }

  /** Consumes the challenge named in the response, whatever the result of the verification. */
  private async expectation(
    { ceremony, boundTo, origin }: AnsweredCeremony,
    response: unknown,
  ): Promise<{ expectedChallenge: string; expectedOrigin: string; expectedRPID: string } | undefined> {
    const challenge = challengeOf(response);
    const rpId = rpIdOf(origin);
    if (challenge === undefined) return undefined;
    const asked = { challengeHash: sha256(challenge), ceremony, rpId };
    const isKnown = await this.passkeys.takeChallenge(asked, [boundTo].flat());
    return isKnown ? { expectedChallenge: challenge, expectedOrigin: origin.origin, expectedRPID: rpId } : undefined;
  }
}

/** The RP ID: the host of the service's origin (WebAuthn §5.1.2). Browsers allow passkeys only for host names. */
function rpIdOf({ origin }: RequestOrigin): string {
  const { hostname } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    throw platformErrors.validationFailed({ fields: [{ field: 'Host', code: 'host_name' }] });
  }
  return hostname;
}

function credentialsOf(passkeys: readonly Passkey[], rpId: string): { id: string; transports: string[] }[] {
  return passkeys
    .filter((passkey) => passkey.rpId === rpId)
    .map(({ credentialId, transports }) => ({ id: credentialId, transports }));
}

/**
 * Replaces the attestation statement with `none`, because none was requested and a statement may be treated as none
 * (WebAuthn §7.1). Otherwise the library would fetch the revocation lists of its certificates from addresses in the
 * unverified response. Throws for malformed input.
 */
function withoutAttestation(answer: RegistrationResponseJSON): RegistrationResponseJSON {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(answer.response.attestationObject)).get('authData');
  const bare = new Map<string, Parameters<typeof isoCBOR.encode>[0]>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(bare));
  return { ...answer, response: { ...answer.response, attestationObject } };
}

/** The challenge in the client data, unverified. The signature check covers it. */
function challengeOf(response: unknown): string | undefined {
  const clientData = textAt(response, 'response', 'clientDataJSON');
  if (clientData === undefined) return undefined;
  try {
    return textAt(JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8')), 'challenge');
  } catch {
    return undefined;
  }
}

/** Returns the string at the path in an unknown value, or undefined. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === 'string' ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  return textAt((value as Record<string, unknown>)[name], ...rest);
}
