import { Injectable } from '@nestjs/common';
import { platformErrors } from '../platform/errors';
import { ContactNormalizerService, normalizeEmail, User, UserRepository } from '../users';
import { MessageChannel } from '../messaging';

/** One recipient. */
export interface CodeTarget {
  readonly channel: MessageChannel;
  /** The form for comparison: the address in lower case, or the phone number in E.164. */
  readonly key: string;
  /** The address for messages. */
  readonly address: string;
}

/** The account's contact for each channel. */
export const contactOf = { email: 'email', sms: 'phone' } as const satisfies Record<MessageChannel, string>;

/** The verified contacts of a user, e-mail first. */
export function provenTargets({ email, emailKey, emailVerified, phone, phoneVerified }: User): CodeTarget[] {
  const targets: CodeTarget[] = [];
  if (emailVerified && email !== null && emailKey !== null) {
    targets.push({ channel: 'email', key: emailKey, address: email });
  }
  if (phoneVerified && phone !== null) targets.push({ channel: 'sms', key: phone, address: phone });
  return targets;
}

/** Validates targets of codes and finds their owners. */
@Injectable()
export class CodeTargetsService {
  constructor(
    private readonly forms: ContactNormalizerService,
    private readonly users: UserRepository,
  ) {}

  /** Errors: `validation_failed` on the field. */
  async read(channel: MessageChannel, text: string, field = 'target'): Promise<CodeTarget> {
    const target = channel === 'email' ? emailTarget(text) : await this.phoneTarget(text);
    if (target) return target;
    throw platformErrors.validationFailed({ fields: [{ field, code: contactOf[channel] }] });
  }

  /** The user who has verified the contact. Unverified contacts do not count. */
  findOwner({ channel, key }: CodeTarget): Promise<User | null> {
    return channel === 'email'
      ? this.users.findByEmail(key, { verified: true })
      : this.users.findByPhone(key, { verified: true });
  }

  private async phoneTarget(text: string): Promise<CodeTarget | undefined> {
    const phone = await this.forms.readPhone(text);
    return phone === undefined ? undefined : { channel: 'sms', key: phone, address: phone };
  }
}

function emailTarget(text: string): CodeTarget | undefined {
  const email = normalizeEmail(text);
  return email && { channel: 'email', key: email.key, address: email.display };
}
