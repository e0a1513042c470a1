import { Injectable } from '@nestjs/common';
import { isSamePassword } from '../platform/crypto';
import { platformErrors } from '../platform/errors';
import { checkPassword, PASSWORD_LENGTH } from '../platform/passwords';
import { SettingsReader } from '../platform/settings';
import { usersErrors } from './users.errors';
import { rejectCommonPasswords } from './users.settings';

/** Validates new passwords. Existing passwords are not validated again. */
@Injectable()
export class PasswordPolicyService {
  constructor(private readonly settings: SettingsReader) {}

  /** Throws `password_too_common`, or `validation_failed` on `field`. */
  async check(password: string, username: string, field: string): Promise<void> {
    const { min, max } = PASSWORD_LENGTH;
    const rejectCommon = await this.settings.get(rejectCommonPasswords);
    const violation = checkPassword(password, { username, rejectCommon, minLength: min, maxLength: max });
    if (violation === undefined) return;
    if (violation === 'password_too_common') throw usersErrors.passwordTooCommon();
    throw platformErrors.validationFailed({ fields: [{ field, code: violation, params: { min, max } }] });
  }

  /** Rejects a new password equal to the current one. Throws `validation_failed` on `field`. */
  requireOther(password: string, present: string, field: string): void {
    if (!isSamePassword(password, present)) return;
    throw platformErrors.validationFailed({ fields: [{ field, code: 'password_unchanged' }] });
  }
}
