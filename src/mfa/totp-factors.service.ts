import { Injectable } from '@nestjs/common';
import { Caller, RequestContext } from '../platform/context';
import { newId, SecretBox } from '../platform/crypto';
import { DatabaseClock, Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { SettingsReader } from '../platform/settings';
import { appName } from '../settings';
import { FactorChangesService } from './factor-changes.service';
import { FactorRepository } from './factor.repository';
import { TotpFactor } from './mfa.entities';
import { mfaErrors } from './mfa.errors';
import { RecoveryCodesService } from './recovery-codes.service';
import { SecondFactorAttempts } from './second-factor-attempts';
import { MfaStatusService } from './mfa-status.service';
import { newTotpSecret, totpStep, totpUri } from './totp';
import { TrustedDeviceRepository } from './trusted-device.repository';

export interface TotpEnrolment {
  readonly id: string;
  /** Base32. Shown only once. */
  readonly secret: string;
  readonly uri: string;
}

/** Authenticator apps. Set up in two steps, so that only a working one counts. */
@Injectable()
export class TotpFactorsService {
  constructor(
    private readonly factors: FactorRepository,
    private readonly recovery: RecoveryCodesService,
    private readonly changes: FactorChangesService,
    private readonly status: MfaStatusService,
    private readonly settings: SettingsReader,
    private readonly box: SecretBox,
    private readonly clock: DatabaseClock,
    private readonly transactions: Transactions,
    private readonly trusted: TrustedDeviceRepository,
    private readonly attempts: SecondFactorAttempts,
  ) {}

  /** Takes effect after `confirm`. Throws `mfa_disabled`. */
  async begin({ userId, username }: Caller): Promise<TotpEnrolment> {
    await this.requireOffered(userId);
    const id = newId();
    const secret = newTotpSecret();
    await this.transactions.run(() =>
      this.factors.insertTotp({ id, userId, secret: this.box.seal(secret, contextOf(id)) }),
    );
    return { id, secret, uri: totpUri(secret, await this.settings.get(appName), username) };
  }

  /**
   * Replaces the previous app, ends its trusted devices, and returns new recovery codes.
   * Throws `mfa_disabled`, `not_found`, `code_invalid`, `account_locked` or `rate_limited`.
   */
  async confirm(caller: Caller, id: string, code: string, request: RequestContext): Promise<string[]> {
    await this.requireOffered(caller.userId);
    const totp = await this.factors.findUnconfirmedTotp(caller.userId, id);
    if (!totp) throw platformErrors.notFound();
    const step = await this.verifyNew(caller, totp, code, request);
    const work = async (): Promise<string[]> => {
      if (await this.factors.findTotp(caller.userId)) await this.trusted.deleteAll(caller.userId);
      if (!(await this.factors.confirmTotp(caller.userId, id, step))) throw platformErrors.notFound();
      return this.recovery.issue(caller.userId);
    };
    return this.changes.added(caller, ['otp'], work, () => ({ action: 'factor.add', after: { type: 'totp', id } }));
  }

  /** Returns a function that consumes the code's time step, or undefined for a wrong code. */
  async verify(userId: string, code: string): Promise<(() => Promise<boolean>) | undefined> {
    const totp = await this.factors.findTotp(userId);
    if (!totp) return undefined;
    const step = this.stepOf(totp.id, totp.secret, code);
    return step === undefined ? undefined : () => this.factors.consumeStep(totp.id, step);
  }

  private verifyNew(
    caller: Caller,
    { id, secret }: Pick<TotpFactor, 'id' | 'secret'>,
    code: string,
    request: RequestContext,
  ): Promise<number> {
    const createError = mfaErrors.codeInvalid;
    const user = { id: caller.userId, username: caller.username };
    const attempt = { user, createError, action: 'factor.add', after: { type: 'totp', id } };
    return this.attempts.verifySecondFactor(attempt, request, async () => {
      const step = this.stepOf(id, secret, code);
      if (step === undefined) throw createError();
      return step;
    });
  }

  private stepOf(id: string, sealed: string, code: string): number | undefined {
    return totpStep(this.box.open(sealed, contextOf(id)), code, this.clock.now());
  }

  private async requireOffered(userId: string): Promise<void> {
    if (!(await this.status.of(userId)).isOffered) throw mfaErrors.mfaDisabled();
  }
}

/** Associated data of the sealed secret, so that it opens only in its own row. */
export const contextOf = (id: string): string => `mfa_totp|${id}|secret`;
