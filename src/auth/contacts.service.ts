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

/** Contacts as typed, with the proofs that verify them. */
export interface ReadContacts {
  readonly contacts: Contacts;
  readonly emailProof?: CodeProof | undefined;
  readonly phoneProof?: CodeProof | undefined;
}

const NONE_REQUIRED: CodesRequired = { email: false, phone: false };

/** Parses the contacts of a request body and checks the codes that verify them. */
@Injectable()
export class ContactsService {
  constructor(
    private readonly normalizer: ContactNormalizerService,
    private readonly ownership: ContactOwnershipService,
    private readonly proofs: CodeProofsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Must not run in a transaction. The codes' purpose is `bind` for a logged-in caller, otherwise `register`.
   * Throws `validation_failed` (an invalid `phone`, a missing required code, a code without its contact),
   * `code_invalid`, `rate_limited` or `verification_disabled`.
   */
  async read(
    input: ContactInput,
    { required = NONE_REQUIRED, caller }: { required?: CodesRequired; caller?: Caller } = {},
  ): Promise<ReadContacts> {
    requireContacts(input, required);
    const contacts = await this.normalizer.read(input);
    return {
      contacts,
      emailProof: await this.prove('email', contacts.emailKey, input.email_code, caller),
      phoneProof: await this.prove('sms', contacts.phone, input.phone_code, caller),
    };
  }

  /**
   * Consumes the codes and removes the contacts from accounts that have them unverified. Call in the transaction that
   * assigns the contacts to the user. Throws `code_invalid`.
   */
  async take({ contacts, emailProof, phoneProof }: ReadContacts, userId: string): Promise<void> {
    await emailProof?.consume();
    await phoneProof?.consume();
    const emailKey = emailProof && (contacts.emailKey ?? undefined);
    await this.ownership.take({ emailKey, phone: phoneProof && (contacts.phone ?? undefined) }, userId);
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

/** Rejects a code without its contact. */
function requireContacts(input: ContactInput, required: CodesRequired): void {
  const missing = missingContacts(input, required);
  if (missing.length > 0) throw platformErrors.validationFailed({ fields: missing });
}

/** The required contacts and codes that are missing. */
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
