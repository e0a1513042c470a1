import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Caller } from '../../platform/context';
import { FieldProblem, platformErrors, ProblemError } from '../../platform/errors';
import { ContactOwnershipService, ContactNormalizerService, Contacts, TypedContacts } from '../../users';
import { MessageChannel } from '../../messaging';
import { codeErrors, CodeProof, CodeProofsService } from '../../verification';
import { ContactRequirement } from './auth.settings';
import { authActs } from './auth.acts';

export interface ContactInput extends TypedContacts {
  readonly email_code?: string | null;
  readonly phone_code?: string | null;
}

/** What a registration must bring. */
export interface ContactsRequired {
  /** Whether the contact must be verified by a code. */
  readonly email: boolean;
  readonly phone: boolean;
  readonly contact: ContactRequirement;
}

/** Contacts as typed, with the proofs that verify them. */
export interface ReadContacts {
  readonly contacts: Contacts;
  readonly emailProof?: CodeProof | undefined;
  readonly phoneProof?: CodeProof | undefined;
}

export interface ContactReading {
  readonly required?: ContactsRequired | undefined;
  readonly caller?: Caller | undefined;
  /** Hashes of the secrets that the browser received with requests for codes. */
  readonly browsers?: readonly string[] | undefined;
}

const NONE_REQUIRED: ContactsRequired = { email: false, phone: false, contact: 'none' };

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
    { required = NONE_REQUIRED, caller, browsers }: ContactReading = {},
  ): Promise<ReadContacts> {
    requireContacts(input, required);
    const contacts = await this.normalizer.read(input);
    return {
      contacts,
      emailProof: await this.prove('email', contacts.emailKey, input.email_code, { caller, browsers }),
      phoneProof: await this.prove('sms', contacts.phone, input.phone_code, { caller, browsers }),
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
    { caller, browsers }: Pick<ContactReading, 'caller' | 'browsers'>,
  ): Promise<CodeProof | undefined> {
    if (!code || !key) return undefined;
    const purpose = caller ? 'bind' : 'register';
    try {
      const { userId, sessionId } = caller ?? {};
      return await this.proofs.check({ purpose, channel, key, code, browsers, userId, sessionId });
    } catch (error) {
      const isWrong = error instanceof ProblemError && error.code === codeErrors.codeInvalid.code;
      if (isWrong) await this.audit.recordFailure(authActs.refuseCode, { after: { purpose, channel } });
      throw error;
    }
  }
}

/** Rejects a code without its contact. */
function requireContacts(input: ContactInput, required: ContactsRequired): void {
  const missing = missingContacts(input, required);
  if (missing.length > 0) throw platformErrors.validationFailed({ fields: missing });
}

/** The required contacts and codes that are missing. */
export function missingContacts(
  input: Partial<Record<keyof ContactInput, unknown>>,
  required: ContactsRequired,
): FieldProblem[] {
  const names = ['email', 'phone'] as const;
  if (required.contact === 'either' && !input.email && !input.phone) {
    const missing = names.map((field) => ({ field, code: 'email_or_phone' }));
    return [...missing, ...missingCodes(input, required)];
  }
  const missing = names.filter((name) => {
    const isNeeded = required[name] || required.contact === name || required.contact === 'both';
    return (isNeeded || input[`${name}_code`]) && !input[name];
  });
  return [...missing.map((field) => ({ field, code: 'required' })), ...missingCodes(input, required)];
}

function missingCodes(input: Partial<Record<keyof ContactInput, unknown>>, required: ContactsRequired): FieldProblem[] {
  const missing = (['email', 'phone'] as const).filter((name) => required[name] && !input[`${name}_code`]);
  return missing.map((name) => ({ field: `${name}_code`, code: 'required' }));
}
