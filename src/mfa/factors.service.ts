import { Injectable } from '@nestjs/common';
import { accessErrors } from '../platform/access';
import { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { CredentialSourceRegistry, User } from '../users';
import { FactorChangesService } from './factor-changes.service';
import { FactorRepository } from './factor.repository';
import { PasskeyRepository } from './passkey.repository';
import { MfaSessionRepository } from './mfa-session.repository';
import { RecoveryCodesService } from './recovery-codes.service';
import { MfaStatusService } from './mfa-status.service';
import { TrustedDeviceRepository } from './trusted-device.repository';
import { factorActs } from './factor.acts';

export interface Factor {
  readonly id: string;
  readonly type: 'totp' | 'passkey' | 'recovery';
  /** Empty for factors without a name. */
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  /** The number of unused recovery codes. */
  readonly remaining?: number;
}

/** All factors of a user. */
@Injectable()
export class FactorsService {
  constructor(
    private readonly factors: FactorRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly trusted: TrustedDeviceRepository,
    private readonly pending: MfaSessionRepository,
    private readonly recovery: RecoveryCodesService,
    private readonly status: MfaStatusService,
    private readonly changes: FactorChangesService,
    private readonly credentials: CredentialSourceRegistry,
  ) {}

  /** Apps, passkeys by age, then recovery codes. `required` means that the user must have a factor. */
  async list({ userId }: Pick<Caller, 'userId'>): Promise<{ items: Factor[]; required: boolean }> {
    const { isRequired } = await this.status.get(userId);
    const totp = await this.factors.findTotp(userId);
    const passkeys = await this.passkeys.ofUser(userId);
    const recovery = await this.factors.findRecovery(userId);
    const items: Factor[] = [
      ...(totp ? [factorOf(totp, 'totp')] : []),
      ...passkeys.map((passkey) => factorOf(passkey, 'passkey', passkey.name)),
      ...(recovery ? [{ ...factorOf(recovery, 'recovery'), remaining: recovery.codes.length }] : []),
    ];
    return { items, required: isRequired };
  }

  /** The users who have an app or a passkey. */
  enrolledAmong(userIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.factors.enrolledAmong(userIds);
  }

  /**
   * Replaces the recovery codes and returns the new ones, to be shown once. Throws `mfa_enrolment_required` without a
   * factor.
   */
  replaceRecoveryCodes(caller: Caller): Promise<string[]> {
    const work = async (): Promise<string[]> => {
      if (!(await this.factors.isEnrolled(caller.userId))) throw accessErrors.mfaEnrolmentRequired();
      return this.recovery.issue(caller.userId);
    };
    return this.changes.own(caller, work, (codes) =>
      factorActs.createRecoveryCodes({
        after: { count: codes.length },
      }),
    );
  }

  /** Throws `not_found` or `last_credential`. */
  async deletePasskey(caller: Caller, id: string): Promise<void> {
    const work = async (): Promise<void> => {
      if (!(await this.takePasskey(caller.userId, id))) throw platformErrors.notFound();
      await this.deleteDependents(caller.userId);
    };
    await this.changes.own(caller, work, () => factorActs.delete({ before: { type: 'passkey', id } }));
  }

  /** Deletes an app, a passkey or the remaining recovery codes. Throws `not_found` or `last_credential`. */
  async delete(caller: Caller, id: string): Promise<void> {
    const work = async (): Promise<Factor['type']> => {
      const type = await this.take(caller.userId, id);
      await this.deleteDependents(caller.userId);
      return type;
    };
    await this.changes.own(caller, work, (type) => factorActs.delete({ before: { type, id } }));
  }

  /** Deletes all factors of the user. Call in an administrator's transaction, with the user locked. */
  async reset(user: User): Promise<void> {
    await this.factors.deleteAll(user.id);
    await this.passkeys.deleteAll(user.id);
    await this.trusted.deleteAll(user.id);
    await this.pending.deleteOfUser(user.id);
    await this.changes.record(user, factorActs.reset({}));
  }

  private async take(userId: string, id: string): Promise<Factor['type']> {
    if (await this.factors.deleteTotp(userId, id)) return 'totp';
    if (await this.takePasskey(userId, id)) return 'passkey';
    if ((await this.factors.findRecovery(userId))?.id !== id) throw platformErrors.notFound();
    await this.factors.deleteRecovery(userId);
    return 'recovery';
  }

  /** A passkey is also a credential that opens the account alone. */
  private async takePasskey(userId: string, id: string): Promise<boolean> {
    if (!(await this.passkeys.delete(userId, id))) return false;
    await this.credentials.assertHasCredential(userId);
    return true;
  }

  /** Trusted devices were trusted under the old factors. Recovery codes are useless without a factor. */
  private async deleteDependents(userId: string): Promise<void> {
    await this.trusted.deleteAll(userId);
    if (!(await this.factors.isEnrolled(userId))) await this.factors.deleteRecovery(userId);
  }
}

function factorOf(
  { id, createdAt, lastUsedAt }: Pick<Factor, 'id' | 'createdAt' | 'lastUsedAt'>,
  type: Factor['type'],
  name = '',
): Factor {
  return { id, type, name, createdAt, lastUsedAt };
}
