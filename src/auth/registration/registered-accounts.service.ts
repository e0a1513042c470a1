import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { newId } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { DefaultRoleService } from '../../rbac';
import {
  changedAttributes,
  ContactOwnershipService,
  ExternalAvatarsService,
  NewUser,
  TermsService,
  UserRepository,
  UserSource,
  userTarget,
  userView,
  UserView,
  userActs,
} from '../../users';
import { UserAttributesService } from '../../users/attributes';
import { authErrors } from '../account/auth.errors';
import { ContactsService, ReadContacts } from '../account/contacts.service';
import { VouchedContacts } from './vouched-contacts';

/** How the account is created. */
export interface Founding extends VouchedContacts {
  readonly source: UserSource;
  /** Runs first in the transaction that creates the user, to lock what must be locked before users. */
  readonly first?: () => Promise<void>;
  /** Runs in the transaction that creates the user. An error rolls the account back. */
  readonly also?: (user: UserView) => Promise<void>;
}

/** A person who registers, with checked input. */
export interface Applicant extends Founding {
  readonly username: string;
  readonly passwordHash: string | null;
  readonly nickname: string;
  readonly avatar: string | undefined;
  readonly read: ReadContacts;
  readonly emailProven: boolean;
  readonly phoneProven: boolean;
  readonly termsAccepted: string | null | undefined;
  /** As given, by name. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Stores the account of a registration, with its contacts and the default role. */
@Injectable()
export class RegisteredAccountsService {
  constructor(
    private readonly contacts: ContactsService,
    private readonly ownership: ContactOwnershipService,
    private readonly users: UserRepository,
    private readonly terms: TermsService,
    private readonly defaultRole: DefaultRoleService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly avatars: ExternalAvatarsService,
    private readonly attributes: UserAttributesService,
  ) {}

  /**
   * Throws `validation_failed` for the terms and attributes, `attribute_unknown`, `attribute_read_only`, `attribute_taken`, `username_taken`, `email_taken`, `phone_taken`, `code_invalid`,
   * `default_role_unavailable` or the errors of `first` and `also`.
   */
  create(applicant: Applicant): Promise<UserView> {
    const { read, emailProven, phoneProven, source, first, also } = applicant;
    return this.transactions.run(async () => {
      await first?.();
      const termsVersion = await this.terms.read(applicant.termsAccepted);
      const attributes = await this.attributes.registered(applicant.attributes);
      const avatar = await this.avatars.forNew(applicant.avatar);
      const account = { ...newUser(applicant, termsVersion, avatar), attributes };
      await this.contacts.take(read, account.id);
      await this.ownership.take(
        {
          emailKey: emailProven ? (account.emailKey ?? undefined) : undefined,
          phone: phoneProven ? (account.phone ?? undefined) : undefined,
        },
        account.id,
      );
      const user = await this.users.insert(account);
      const role = await this.defaultRole.give(user.id);
      if (role === undefined) throw authErrors.defaultRoleUnavailable();
      await this.audit.record(userActs.create, {
        actor: { id: user.id, username: user.username },
        target: userTarget(user),
        after: {
          source,
          role,
          ...(termsVersion !== null && { terms_version: termsVersion }),
          ...changedAttributes({}, attributes),
        },
      });
      const known = userView(user);
      await also?.(known);
      return known;
    });
  }
}

function newUser(applicant: Applicant, termsVersion: string | null, avatar: string): Omit<NewUser, 'attributes'> {
  const { username, nickname, read, emailProven, phoneProven, passwordHash } = applicant;
  const { contacts, emailProof, phoneProof } = read;
  return {
    id: newId(),
    username,
    nickname,
    avatar,
    email: contacts.email ?? null,
    emailKey: contacts.emailKey ?? null,
    emailVerified: emailProven || emailProof !== undefined,
    phone: contacts.phone ?? null,
    phoneVerified: phoneProven || phoneProof !== undefined,
    locale: null,
    status: 'active',
    passwordHash,
    mustChangePassword: false,
    termsVersion,
  };
}
