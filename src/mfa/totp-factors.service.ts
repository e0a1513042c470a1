import { Injectable } from '@nestjs/common';
import { Caller, RequestContext } from '../platform/context';
import { newId } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { SettingsReader } from '../platform/settings';
import { appName } from '../settings';
import { FactorChangesService } from './factor-changes.service';
import { FactorRepository } from './factor.repository';
import { mfaErrors } from './mfa.errors';
import { RecoveryCodesService } from './recovery-codes.service';
import { MfaStatusService } from './mfa-status.service';
import { newTotpSecret, totpUri } from './totp';
import { TotpCodesService } from './totp-codes.service';
import { TrustedDeviceRepository } from './trusted-device.repository';
import { factorActs } from './factor.acts';

export interface TotpEnrolment {
  readonly id: string;
  /** Base32. Shown only once. */
  readonly secret: string;
  readonly uri: string;
}

/** Sets up authenticator apps, in two steps, so that only a working one counts. */
@Injectable()
export class TotpFactorsService {
  constructor(
    private readonly factors: FactorRepository,
    private readonly codes: TotpCodesService,
    private readonly recovery: RecoveryCodesService,
    private readonly changes: FactorChangesService,
    private readonly status: MfaStatusService,
    private readonly settings: SettingsReader,
    private readonly transactions: Transactions,
    private readonly trusted: TrustedDeviceRepository,
  ) {}

  /** Takes effect after `confirm`. Throws `mfa_disabled`. */
  async begin({ userId, username }: Caller): Promise<TotpEnrolment> {
    await this.requireOffered(userId);
    const id = newId();
    const secret = newTotpSecret();
    await this.transactions.run(() => this.factors.insertTotp({ id, userId, secret: this.codes.seal(id, secret) }));
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
    const step = await this.codes.verifyNew(caller, totp, code, request);
    const work = async (): Promise<string[]> => {
      if (await this.factors.findTotp(caller.userId)) await this.trusted.deleteAll(caller.userId);
      if (!(await this.factors.confirmTotp(caller.userId, id, step))) throw platformErrors.notFound();
      return this.recovery.issue(caller.userId);
    };
    return this.changes.added(caller, ['otp'], work, () => factorActs.add({ after: { type: 'totp', id } }));
  }

  private async requireOffered(userId: string): Promise<void> {
    if (!(await this.status.get(userId)).isOffered) throw mfaErrors.mfaDisabled();
  }
}
