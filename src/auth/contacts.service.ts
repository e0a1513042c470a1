import { Injectable } from '@nestjs/common';
import { platformErrors } from '../platform/errors';
import { ContactForms, Contacts, TypedContacts } from '../users';
import { authErrors } from './auth.errors';

export interface ContactInput extends TypedContacts {
  readonly email_code?: string | null;
  readonly phone_code?: string | null;
}

export interface CodesRequired {
  readonly email: boolean;
  readonly phone: boolean;
}

/** Reads the contacts of a body, with the codes that prove them. */
@Injectable()
export class ContactsService {
  constructor(private readonly forms: ContactForms) {}

  /** Errors: `validation_failed` on `phone` or a missing required code, `verification_disabled` for a code nobody sent. */
  async read(input: ContactInput, required: CodesRequired = { email: false, phone: false }): Promise<Contacts> {
    if (required.email) requireCode(input.email_code, 'email_code');
    if (required.phone) requireCode(input.phone_code, 'phone_code');
    if (input.email_code || input.phone_code) throw authErrors.verificationDisabled();
    return this.forms.read(input);
  }
}

function requireCode(code: string | null | undefined, field: string): void {
  if (!code) throw platformErrors.validationFailed({ fields: [{ field, code: 'required' }] });
}
