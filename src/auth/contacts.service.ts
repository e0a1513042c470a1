import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { Caller } from '../platform/context';
import { FieldProblem, platformErrors, ProblemError } from '../platform/errors';
import { ContactOwnershipService, ContactNormalizerService, Contacts, TypedContacts } from '../users';
import { MessageChannel } from '../messaging';
import { codeErrors, CodeProof, CodeProofsService } from '../verification';

export interface ContactInput extends TypedContacts {
  readonly email_code?: string | null;
  readonly phone_code?: string | null;
}

export interface CodesRequired {
  readonly email: boolean;
  readonly phone: boolean;
}

/** Contacts as they were typed, with what proves them. */
export interface ReadContacts {
  readonly contacts: Contacts;
  readonly emailProof?: CodeProof | undefined;
  readonly phoneProof?: CodeProof | undefined;
}

const NONE_REQUIRED: CodesRequired = { email: false, phone: false };

/** Reads the contacts of a body and judges the codes that prove them. */
@Injectable()
export class ContactsService {
  constructor(
    private readonly forms: ContactNormalizerService,
    private readonly claims: ContactOwnershipService,
    private readonly proofs: CodeProofsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Not within a transaction. The codes' purpose is `bind` for a logged-in caller, else `register`.
   * Errors: `validation_failed` on `phone`, on a missing required code, or on a contact that a code is to prove;
   * `code_invalid`, `rate_limited`, `verification_disabled`.
   */
  async read(
    input: ContactInput,
    { required = NONE_REQUIRED, caller }: { required?: CodesRequired; caller?: Caller } = {},
  ): Promise<ReadContacts> {
    requireContacts(input, required);
    const contacts = await this.forms.read(input);
    return {
      contacts,
      emailProof: await this.prove('email', contacts.emailKey, input.email_code, caller),
      phoneProof: await this.prove('sms', contacts.phone, input.phone_code, caller),
    };
  }

  /**
   * Spends the codes and takes the contacts from those who merely claim them, in the transaction that gives them to the
   * user. Errors: `code_invalid`.
   */
  async take({ contacts, emailProof, phoneProof }: ReadContacts, userId: string): Promise<void> {
    await emailProof?.consume();
    await phoneProof?.consume();
    const emailKey = emailProof && (contacts.emailKey ?? undefined);
    await this.claims.take({ emailKey, phone: phoneProof && (contacts.phone ?? undefined) }, userId);
  }

  private async prove(
    channel: MessageChannel,
    key: string | null | undefined,
    code: string | null | undefined,
    caller: Caller | undefined,
  ): Promise<CodeProof | undefined> {
    if (!code || !key) return undefined;
    const purpose = caller ? 'bind' : 'register';
    try {
      const { userId, sessionId } = caller ?? {};
      return await this.proofs.check({ purpose, channel, key, code, userId, sessionId });
    } catch (error) {
      const isWrong = error instanceof ProblemError && error.code === codeErrors.codeInvalid.code;
      if (isWrong) await this.audit.recordFailure({ action: 'code.refuse', after: { purpose, channel } });
      throw error;
    }
  }
}

/** A code without its contact proves nothing. */
function requireContacts(input: ContactInput, required: CodesRequired): void {
  const missing = missingContacts(input, required);
  if (missing.length > 0) throw platformErrors.validationFailed({ fields: missing });
}

/** The contacts and codes that are needed and not there. */
export function missingContacts(
  input: Partial<Record<keyof ContactInput, unknown>>,
  required: CodesRequired,
): FieldProblem[] {
  const missing = (['email', 'phone'] as const).flatMap((contact) => {
    const code = input[`${contact}_code`];
    const isNeeded = required[contact];
    return [
      ...((isNeeded || code) && !input[contact] ? [contact] : []),
      ...(isNeeded && !code ? [`${contact}_code`] : []),
    ];
  });
  return missing.map((field) => ({ field, code: 'required' }));
}
