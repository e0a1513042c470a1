import { platformErrors } from '../platform/errors';
import { Contacts } from '../users';
import { ChangeUserDto, CreateUserDto } from './dto/user-input.dto';

/** Rejects a contact that is marked verified but empty. Throws `validation_failed`. */
export function rejectEmptyProof(
  { email, phone }: Contacts,
  { email_verified: emailVerified, phone_verified: phoneVerified }: CreateUserDto | ChangeUserDto,
): void {
  const fields = [
    ...(emailVerified && !email ? ['email_verified'] : []),
    ...(phoneVerified && !phone ? ['phone_verified'] : []),
  ];
  if (fields.length === 0) return;
  throw platformErrors.validationFailed({ fields: fields.map((field) => ({ field, code: 'nothing_to_verify' })) });
}
