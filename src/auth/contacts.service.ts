import { Injectable } from '@nestjs/common';
import { platformErrors } from '../platform/errors';
import { SettingsReader } from '../platform/settings';
import { defaultRegion, normalizeEmail, normalizePhone } from '../users';
import { authErrors } from './auth.errors';

export interface ContactInput {
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly email_code?: string | null;
  readonly phone_code?: string | null;
}

/** What is to be stored; a contact that was left out is not there. */
export interface Contacts {
  readonly email?: string | null;
  readonly emailKey?: string | null;
  readonly phone?: string | null;
}

export interface CodesRequired {
  readonly email: boolean;
  readonly phone: boolean;
}

/** Brings the contacts of a body into their stored form. */
@Injectable()
export class ContactsService {
  constructor(private readonly settings: SettingsReader) {}

  /** Errors: `validation_failed` on `phone` or a missing required code, `verification_disabled` for a code nobody sent. */
  async read(input: ContactInput, required: CodesRequired = { email: false, phone: false }): Promise<Contacts> {
    if (required.email) requireCode(input.email_code, 'email_code');
    if (required.phone) requireCode(input.phone_code, 'phone_code');
    if (input.email_code || input.phone_code) throw authErrors.verificationDisabled();
    return { ...this.email(input.email), ...(await this.phone(input.phone)) };
  }

  private email(text: string | null | undefined): Pick<Contacts, 'email' | 'emailKey'> {
    if (text === undefined) return {};
    const email = text ? normalizeEmail(text) : undefined;
    return { email: email?.display ?? null, emailKey: email?.key ?? null };
  }

  private async phone(text: string | null | undefined): Promise<Pick<Contacts, 'phone'>> {
    if (text === undefined) return {};
    if (!text) return { phone: null };
    const phone = normalizePhone(text, await this.settings.get(defaultRegion));
    if (phone === undefined) throw platformErrors.validationFailed({ fields: [{ field: 'phone', code: 'phone' }] });
    return { phone };
  }
}

function requireCode(code: string | null | undefined, field: string): void {
  if (!code) throw platformErrors.validationFailed({ fields: [{ field, code: 'required' }] });
}
