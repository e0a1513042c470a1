import { Injectable } from '@nestjs/common';
import { platformErrors } from '../platform/errors';
import { SettingsReader } from '../platform/settings';
import { normalizeEmail, normalizePhone } from './rules';
import { defaultRegion } from './users.settings';

/** Contacts as typed. null and the empty string mean none. */
export interface TypedContacts {
  readonly email?: string | null;
  readonly phone?: string | null;
}

/** Contacts to store. A contact that was not given is absent. */
export interface Contacts {
  readonly email?: string | null;
  readonly emailKey?: string | null;
  readonly phone?: string | null;
}

/** Normalizes contacts to their stored form. */
@Injectable()
export class ContactNormalizerService {
  constructor(private readonly settings: SettingsReader) {}

  /** The e-mail must be validated already. Throws `validation_failed` on `phone`. */
  async read({ email, phone }: TypedContacts): Promise<Contacts> {
    return { ...this.email(email), ...(await this.phone(phone)) };
  }

  /** Returns E.164, or undefined when the text is no phone number. */
  async readPhone(text: string): Promise<string | undefined> {
    return normalizePhone(text, await this.settings.get(defaultRegion));
  }

  private email(text: string | null | undefined): Pick<Contacts, 'email' | 'emailKey'> {
    if (text === undefined) return {};
    const email = text ? normalizeEmail(text) : undefined;
    return { email: email?.display ?? null, emailKey: email?.key ?? null };
  }

  private async phone(text: string | null | undefined): Promise<Pick<Contacts, 'phone'>> {
    if (text === undefined) return {};
    if (!text) return { phone: null };
    const phone = await this.readPhone(text);
    if (phone === undefined) throw platformErrors.validationFailed({ fields: [{ field: 'phone', code: 'phone' }] });
    return { phone };
  }
}
