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

export interface Factor {
  readonly id: string;
  readonly type: 'totp' | 'passkey' | 'recovery';
  /** Empty for those that are never named. */
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  /** Recovery codes that are left. */
  readonly remaining?: number;
}

/** All factors of a user together. */
@Injectable()
export class FactorsService {
  constructor(
    private readonly factors: FactorRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly trusted: TrustedDeviceRepository,
    private readonly pending: MfaSessionRepository,
    private readonly recovery: RecoveryCodesService,
    private readonly standings: MfaStatusService,
    private readonly changes: FactorChangesService,
    private readonly credentials: CredentialSourceRegistry,
  ) {}

  /** Apps, passkeys by age, recovery codes; `required`: the user must have one. */
  async list({ userId }: Caller): Promise<{ items: Factor[]; required: boolean }> {
    const { isRequired } = await this.standings.of(userId);
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

  /** A new set of codes instead of the old one, to be shown once. Errors: `mfa_enrolment_required` without a factor. */
  replaceRecoveryCodes(caller: Caller): Promise<string[]> {
    const work = async (): Promise<string[]> => {
      if (!(await this.factors.isEnrolled(caller.userId))) throw accessErrors.mfaEnrolmentRequired();
      return this.recovery.issue(caller.userId);
    };
    return this.changes.own(caller, work, (codes) => ({
      action: 'recovery_codes.create',
      after: { count: codes.length },
    }));
  }

  /** Errors: `not_found`, `last_credential`. */
  async deletePasskey(caller: Caller, id: string): Promise<void> {
    const work = async (): Promise<void> => {
      if (!(await this.takePasskey(caller.userId, id))) throw platformErrors.notFound();
      await this.tidy(caller.userId);
    };
    await this.changes.own(caller, work, () => ({ action: 'factor.delete', before: { type: 'passkey', id } }));
  }

  /** An app, a passkey, or what is left of the recovery codes. Errors: `not_found`, `last_credential`. */
  async delete(caller: Caller, id: string): Promise<void> {
    const work = async (): Promise<Factor['type']> => {
      const type = await this.take(caller.userId, id);
      await this.tidy(caller.userId);
      return type;
    };
    await this.changes.own(caller, work, (type) => ({ action: 'factor.delete', before: { type, id } }));
  }

  /** In the transaction of an administrator's act, with the user locked: everything goes. */
  async reset(user: User): Promise<void> {
    await this.factors.deleteAll(user.id);
    await this.passkeys.deleteAll(user.id);
    await this.trusted.deleteAll(user.id);
    await this.pending.deleteOfUser(user.id);
    await this.changes.record(user, { action: 'user.reset_mfa' });
  }

  private async take(userId: string, id: string): Promise<Factor['type']> {
    if (await this.factors.deleteTotp(userId, id)) return 'totp';
    if (await this.takePasskey(userId, id)) return 'passkey';
    if ((await this.factors.findRecovery(userId))?.id !== id) throw platformErrors.notFound();
    await this.factors.deleteRecovery(userId);
    return 'recovery';
  }

  /** A passkey opens an account by itself, too. */
  private async takePasskey(userId: string, id: string): Promise<boolean> {
    if (!(await this.passkeys.delete(userId, id))) return false;
    await this.credentials.refuseIfNone(userId);
    return true;
  }

  /** Trust was given under the factors of then; and recovery codes recover nothing once there is no factor. */
  private async tidy(userId: string): Promise<void> {
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
