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

/** What a challenge is good for; it is good for nothing else. */
export type Ceremony = 'register' | 'login' | 'second' | 'confirm';

/** Where, and for what, an authenticator is asked. */
export interface Occasion {
  readonly ceremony: Ceremony;
  /** The session or pending login that it belongs to; of a login itself, the hash of the secret of the browser that asks. */
  readonly boundTo: string;
  readonly origin: RequestOrigin;
}

/** An occasion on which an answer is judged; what it was asked for may be any of several. */
export type AnsweredCeremony = Omit<Occasion, 'boundTo'> & { readonly boundTo: string | readonly string[] };

type Registration = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;
type Assertion = VerifiedAuthenticationResponse['authenticationInfo'];

/** The two exchanges with an authenticator (WebAuthn level 3, §7.1 and §7.2); the cryptography is the library's. */
@Injectable()
export class PasskeyCeremoniesService {
  constructor(
    private readonly passkeys: PasskeyRepository,
    private readonly settings: SettingsReader,
  ) {}

  /** Errors: `validation_failed` where the service is reached by an address instead of a name. */
  async creationOptions(
    occasion: Occasion,
    user: UserView,
    known: readonly Passkey[],
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const rpID = rpIdOf(occasion.origin);
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
    await this.remember(occasion, rpID, options.challenge);
    return options;
  }

  /** `known`: the passkeys to choose from; without them the authenticator offers what it has. Errors as above. */
  async requestOptions(occasion: Occasion, known?: readonly Passkey[]): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const rpID = rpIdOf(occasion.origin);
    const options = await generateAuthenticationOptions({
      rpID,
      userVerification: known ? 'preferred' : 'required',
      ...(known && { allowCredentials: credentialsOf(known, rpID) }),
    });
    await this.remember(occasion, rpID, options.challenge);
    return options;
  }

  /** undefined: it is not an answer to what was asked here, or not a good one. */
  async judgeRegistration(occasion: AnsweredCeremony, response: unknown): Promise<Registration | undefined> {
    const expected = await this.expectation(occasion, response);
    if (!expected) return undefined;
    try {
      const { registrationInfo } = await verifyRegistrationResponse({
        ...expected,
        response: withoutAttestation(response as RegistrationResponseJSON),
        requireUserVerification: true,
      });
      return registrationInfo;
    } catch {
      // The library throws whatever is wrong with what the client sent.
      return undefined;
    }
  }

  /** As `judgeRegistration`. The count is not judged here. */
  async judgeAssertion(
    occasion: AnsweredCeremony,
    response: unknown,
    { credentialId, publicKey, rpId }: Passkey,
  ): Promise<Assertion | undefined> {
    const expected = await this.expectation(occasion, response);
    if (expected?.expectedRPID !== rpId) return undefined;
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expected,
        response: response as AuthenticationResponseJSON,
        requireUserVerification: occasion.ceremony === 'login',
        credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
      });
      return verified ? authenticationInfo : undefined;
    } catch {
      // As above.
      return undefined;
    }
  }

  private async remember({ ceremony, boundTo }: Occasion, rpId: string, challenge: string): Promise<void> {
    await this.passkeys.insertChallenge({ challengeHash: sha256(challenge), ceremony, boundTo, rpId });
  }

  /** Takes the challenge that the response names away, whatever comes of it. */
  private async expectation(
    { ceremony, boundTo, origin }: AnsweredCeremony,
    response: unknown,
  ): Promise<{ expectedChallenge: string; expectedOrigin: string; expectedRPID: string } | undefined> {
    const challenge = challengeOf(response);
    const rpId = rpIdOf(origin);
    if (challenge === undefined) return undefined;
    const asked = { challengeHash: sha256(challenge), ceremony, rpId };
    const isOurs = await this.passkeys.takeChallenge(asked, [boundTo].flat());
    return isOurs ? { expectedChallenge: challenge, expectedOrigin: origin.origin, expectedRPID: rpId } : undefined;
  }
}

/** The host of the service's own origin (WebAuthn §5.1.2). Browsers know passkeys for names only. */
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
 * The answer without what it says of the authenticator's maker: none was asked for, and one that is sent all the same may
 * count as none (WebAuthn §7.1). The library would ask for the revocation lists of its certificates at whatever addresses
 * these name, before it knows who signed them. Throws where there is nothing to read.
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

/** The challenge that the client says it signed; whether it did is judged by its signature. */
function challengeOf(response: unknown): string | undefined {
  const clientData = textAt(response, 'response', 'clientDataJSON');
  if (clientData === undefined) return undefined;
  try {
    return textAt(JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8')), 'challenge');
  } catch {
    return undefined;
  }
}

/** The text at the path of an unknown value. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === 'string' ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  return textAt((value as Record<string, unknown>)[name], ...rest);
}
