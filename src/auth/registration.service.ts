import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { RequestContext } from '../platform/context';
import { newId, PasswordHasher } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { RateLimiter, registerPerHourPerAddress } from '../platform/http';
import { NameQueue } from '../platform/jobs';
import { SettingsReader } from '../platform/settings';
import { DefaultRole } from '../rbac';
import {
  avatarPath,
  Contacts,
  knownUser,
  KnownUser,
  NewUser,
  PasswordPolicy,
  UserEvents,
  UserRepository,
  usersErrors,
  UserSource,
} from '../users';
import { authErrors } from './auth.errors';
import { emailCodeRequired, phoneCodeRequired } from './auth.settings';
import { ContactsService } from './contacts.service';
import { RegisterDto } from './dto/register.dto';

const LIMIT = { setting: registerPerHourPerAddress, windowSeconds: 3_600 };

interface Applicant {
  readonly username: string;
  readonly password: string;
  readonly nickname: string;
  readonly contacts: Contacts;
}

/** Makes accounts for people who ask for one. */
@Injectable()
export class RegistrationService {
  private readonly queue = new NameQueue();

  constructor(
    private readonly settings: SettingsReader,
    private readonly limiter: RateLimiter,
    private readonly contacts: ContactsService,
    private readonly policy: PasswordPolicy,
    private readonly hasher: PasswordHasher,
    private readonly users: UserRepository,
    private readonly defaultRole: DefaultRole,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
    private readonly events: UserEvents,
  ) {}

  /**
   * Errors: `rate_limited`, `validation_failed`, `password_too_common`, `username_taken`, `email_taken`, `phone_taken`,
   * `default_role_unavailable` (nothing is kept).
   */
  async register(body: RegisterDto, request: RequestContext): Promise<KnownUser> {
    await this.limiter.count(LIMIT, request.limitKey);
    const { username, password, nickname } = body;
    const contacts = await this.contacts.read(body, await this.codesRequired());
    await this.policy.check(password, username, 'password');
    // Those who ask for one name wait for each other, so that only the first of them costs a hash.
    const applicant = { username, password, nickname: nickname ?? '', contacts };
    const user = await this.queue.run(username.toLowerCase(), () => this.admit(applicant, 'register'));
    await this.events.emitCreated({ userId: user.id, username, source: 'register' });
    return user;
  }

  private async codesRequired(): Promise<{ email: boolean; phone: boolean }> {
    return { email: await this.settings.get(emailCodeRequired), phone: await this.settings.get(phoneCodeRequired) };
  }

  private async admit(applicant: Applicant, source: UserSource): Promise<KnownUser> {
    if (await this.users.isUsernameTaken(applicant.username)) throw usersErrors.usernameTaken();
    const passwordHash = await this.hasher.hash(applicant.password);
    return this.transactions.run(async () => {
      const user = await this.users.insert(newUser(applicant, passwordHash));
      const role = await this.defaultRole.give(user.id);
      if (role === undefined) throw authErrors.defaultRoleUnavailable();
      await this.audit.record({
        action: 'user.create',
        actor: { id: user.id, username: user.username },
        target: { type: 'user', id: user.id, label: user.username },
        after: { source, role },
      });
      return knownUser(user);
    });
  }
}

function newUser({ username, nickname, contacts }: Applicant, passwordHash: string): NewUser {
  return {
    id: newId(),
    username,
    nickname,
    avatar: avatarPath(),
    email: contacts.email ?? null,
    emailKey: contacts.emailKey ?? null,
    emailVerified: false,
    phone: contacts.phone ?? null,
    phoneVerified: false,
    locale: null,
    status: 'active',
    passwordHash,
    mustChangePassword: false,
  };
}
