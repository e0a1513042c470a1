import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { RequestContext } from '../platform/context';
import { newId, PasswordHasher } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { RateLimiterService } from '../platform/http';
import { KeyedMutex } from '../platform/jobs';
import { SettingsReader } from '../platform/settings';
import { DefaultRoleService } from '../rbac';
import {
  avatarPath,
  ContactOwnershipService,
  EmailAddress,
  userView,
  UserView,
  NewUser,
  PasswordPolicyService,
  UserEventsService,
  usernameKey,
  UserRepository,
  usersErrors,
  UserSource,
  userTarget,
} from '../users';
import { authErrors } from './auth.errors';
import { emailCodeRequired, phoneCodeRequired, registerPerHourPerAddress } from './auth.settings';
import { ContactsService, ReadContacts } from './contacts.service';
import { RegisterDto } from './dto/register.dto';
import { chooseEmail } from './registration-fields.service';

const LIMIT = { setting: registerPerHourPerAddress, windowSeconds: 3_600 };

/** Input of a registration. Without a password the account gets another login method. */
export type Application = Omit<RegisterDto, 'password'> & {
  readonly password?: string | null;
  readonly avatar?: string;
};

/** How the account is created. */
export interface Founding {
  readonly source: UserSource;
  /** An address that is verified without a code. */
  readonly provenEmail?: EmailAddress;
  /** Runs in the transaction that creates the user. An error rolls the account back. */
  readonly also?: (user: UserView) => Promise<void>;
}

interface Applicant extends Founding {
  readonly username: string;
  readonly password: string | null;
  readonly nickname: string;
  readonly avatar: string | undefined;
  readonly read: ReadContacts;
  readonly emailProven: boolean;
}

/** Creates accounts for people who register. */
@Injectable()
export class RegistrationService {
  private readonly queue = new KeyedMutex();

  constructor(
    private readonly settings: SettingsReader,
    private readonly limiter: RateLimiterService,
    private readonly contacts: ContactsService,
    private readonly ownership: ContactOwnershipService,
    private readonly policy: PasswordPolicyService,
    private readonly hasher: PasswordHasher,
    private readonly users: UserRepository,
    private readonly defaultRole: DefaultRoleService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly events: UserEventsService,
  ) {}

  /**
   * Throws `rate_limited`, `validation_failed`, `password_too_common`, `username_taken`, `email_taken`, `phone_taken`,
   * `code_invalid`, `verification_disabled` or `default_role_unavailable`. An error leaves no account.
   */
  async register(
    application: Application,
    request: RequestContext,
    founding: Founding = { source: 'register' },
  ): Promise<UserView> {
    await this.limiter.count(LIMIT, request.limitKey);
    const { username, nickname, avatar } = application;
    const password = application.password ?? null;
    const { read, emailProven } = await this.readContacts(application, founding);
    if (password !== null) await this.policy.check(password, username, 'password');
    // Registrations of the same name wait for each other, so that only the first one costs a hash.
    const applicant = { username, password, nickname: nickname ?? '', avatar, read, emailProven, ...founding };
    const user = await this.queue.run(usernameKey(username), () => this.create(applicant));
    await this.events.emitCreated({ userId: user.id, username, source: founding.source });
    return user;
  }

  private async readContacts(
    application: Application,
    { provenEmail }: Founding,
  ): Promise<Pick<Applicant, 'read' | 'emailProven'>> {
    const { email, isProven: emailProven } = chooseEmail(application.email, provenEmail);
    const required = await this.codesRequired();
    const input = { ...application, ...(email !== undefined && { email }) };
    const read = await this.contacts.read(input, {
      required: { ...required, email: required.email && !emailProven },
    });
    return { read, emailProven };
  }

  private async codesRequired(): Promise<{ email: boolean; phone: boolean }> {
    return { email: await this.settings.get(emailCodeRequired), phone: await this.settings.get(phoneCodeRequired) };
  }

  private async create(applicant: Applicant): Promise<UserView> {
    const { username, password, source, also } = applicant;
    if (await this.users.isUsernameTaken(username)) throw usersErrors.usernameTaken();
    const passwordHash = password === null ? null : await this.hasher.hash(password);
    return this.transactions.run(async () => {
      const account = newUser(applicant, passwordHash);
      await this.contacts.take(applicant.read, account.id);
      if (applicant.emailProven) await this.ownership.take({ emailKey: account.emailKey ?? undefined }, account.id);
      const user = await this.users.insert(account);
      const role = await this.defaultRole.give(user.id);
      if (role === undefined) throw authErrors.defaultRoleUnavailable();
      await this.audit.record({
        action: 'user.create',
        actor: { id: user.id, username: user.username },
        target: userTarget(user),
        after: { source, role },
      });
      const known = userView(user);
      await also?.(known);
      return known;
    });
  }
}

function newUser(
  { username, nickname, avatar, read: { contacts, emailProof, phoneProof }, emailProven }: Applicant,
  passwordHash: string | null,
): NewUser {
  return {
    id: newId(),
    username,
    nickname,
    avatar: avatar ?? avatarPath(),
    email: contacts.email ?? null,
    emailKey: contacts.emailKey ?? null,
    emailVerified: emailProven || emailProof !== undefined,
    phone: contacts.phone ?? null,
    phoneVerified: phoneProof !== undefined,
    locale: null,
    status: 'active',
    passwordHash,
    mustChangePassword: false,
  };
}
