import { Injectable } from '@nestjs/common';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { RequestOrigin } from '../platform/context';
import { ErrorFactory } from '../platform/errors';
import { AccountEventsService, UserView } from '../users';
import { FactorRepository } from './factor.repository';
import { mfaErrors } from './mfa.errors';
import { WebAuthnContext } from './passkey-ceremonies.service';
import { PasskeyRepository } from './passkey.repository';
import { PasskeysService } from './passkeys.service';
import { RecoveryCodesService } from './recovery-codes.service';
import { MfaStatusService } from './mfa-status.service';
import { TotpCodesService } from './totp-codes.service';
import { TrustedDevicesService } from './trusted-devices.service';

export const secondFactorMethods = ['totp', 'recovery', 'passkey'] as const;
export type SecondFactorMethod = (typeof secondFactorMethods)[number];

/** A second factor to verify. */
export interface SecondFactorClaim {
  readonly method: SecondFactorMethod;
  readonly code?: string | undefined;
  readonly response?: unknown;
}

/** Where the factor is verified: in an MFA session or in a session. */
export type SecondFactorContext = Pick<WebAuthnContext, 'boundTo' | 'origin'> & {
  readonly ceremony: 'second' | 'confirm';
};

/** A verified second factor. */
export interface SecondFactorProof {
  /** Authentication Method References (RFC 8176). */
  readonly amr: readonly string[];
  /** Whether it counts as two factors. */
  readonly isMultiFactor: boolean;
  /** Call in the transaction that uses the proof. Throws the factor's error when a parallel use was faster. */
  consume(): Promise<void>;
}

/** Requests and verifies second factors. */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly status: MfaStatusService,
    private readonly factors: FactorRepository,
    private readonly passkeyRows: PasskeyRepository,
    private readonly totp: TotpCodesService,
    private readonly recovery: RecoveryCodesService,
    private readonly passkeys: PasskeysService,
    private readonly trusted: TrustedDevicesService,
    private readonly events: AccountEventsService,
  ) {}

  /**
   * Whether the user's logins need a second factor, except in trusted browsers. Reads the database instead of the
   * cache, after the lock on the user, so that a factor set up a moment ago counts.
   */
  async isMfaRequired(userId: string): Promise<boolean> {
    return (await this.status.isOffered()) && (await this.factors.isEnrolled(userId));
  }

  /** Whether the user trusts the browser that sent the cookies. */
  isTrusted(user: Pick<UserView, 'id' | 'passwordVersion'>, trustCookies: readonly string[]): Promise<boolean> {
    return this.trusted.isTrusted(trustCookies, user);
  }

  /** The second factors that the user has. */
  async methodsOf(userId: string): Promise<SecondFactorMethod[]> {
    const has: Record<SecondFactorMethod, boolean> = {
      totp: (await this.factors.findTotp(userId)) !== null,
      recovery: ((await this.factors.findRecovery(userId))?.codes.length ?? 0) > 0,
      passkey: (await this.passkeyRows.ofUser(userId)).length > 0,
    };
    return secondFactorMethods.filter((method) => has[method]);
  }

  /** WebAuthn options for the user's passkeys. */
  passkeyOptions(
    { ceremony, boundTo }: Omit<SecondFactorContext, 'origin'>,
    userId: string,
    origin: RequestOrigin,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.passkeys.options({ ceremony, boundTo, origin }, userId);
  }

  /** The error for a wrong factor. */
  errorOf({ method }: SecondFactorClaim): ErrorFactory {
    return method === 'passkey' ? mfaErrors.invalidCredentials : mfaErrors.codeInvalid;
  }

  /** Must not run in a transaction. Returns undefined for a wrong factor. */
  async verify(
    user: UserView,
    claim: SecondFactorClaim,
    context: SecondFactorContext,
  ): Promise<SecondFactorProof | undefined> {
    const proof = await this.proofOf(user, claim, context);
    if (!proof) return undefined;
    const consume = async (): Promise<void> => {
      if (!(await proof.consume())) throw this.errorOf(claim)();
      if (claim.method === 'recovery') await this.events.announce({ type: 'second_factor_changed', user });
    };
    return { amr: proof.amr, isMultiFactor: proof.amr.includes('user'), consume: consume };
  }

  private async proofOf(
    { id }: UserView,
    { method, code = '', response }: SecondFactorClaim,
    context: SecondFactorContext,
  ): Promise<{ amr: readonly string[]; consume: () => Promise<boolean> } | undefined> {
    switch (method) {
      case 'totp':
        return oneTime(await this.totp.verify(id, code));
      case 'recovery':
        return oneTime(await this.recovery.verify(id, code));
      case 'passkey':
        return this.passkeys.verify(context, id, response);
    }
  }
}

/** RFC 8176 §2 calls a one-time password `otp`. */
function oneTime(
  consume: (() => Promise<boolean>) | undefined,
): { amr: readonly string[]; consume: () => Promise<boolean> } | undefined {
  return consume && { amr: ['otp'], consume };
}
