import { Injectable } from '@nestjs/common';
import { AttemptOrigin } from '../login';
import { PasswordHasher } from '../../platform/crypto';
import { RateLimiterService } from '../../platform/http';
import { KeyedMutex } from '../../platform/jobs';
import { SettingsReader } from '../../platform/settings';
import {
  UserView,
  PasswordPolicyService,
  UserEventsService,
  usernameKey,
  UserRepository,
  usersErrors,
} from '../../users';
import { registerPerHourPerAddress } from '../account/auth.settings';
import { ContactsService } from '../account/contacts.service';
import { RegisterDto } from './dto/register.dto';
import { Applicant, Founding, RegisteredAccountsService } from './registered-accounts.service';
import { chooseEmail, requiredBySettings, stillRequired, VouchedContacts } from './vouched-contacts';

const LIMIT = { setting: registerPerHourPerAddress, windowSeconds: 3_600 };

/** Input of a registration. Without a password the account gets another login method. */
export type Application = Omit<RegisterDto, 'password'> & {
  readonly password?: string | null;
  readonly avatar?: string;
};

/** Creates accounts for people who register. */
@Injectable()
export class RegistrationService {
  private readonly queue = new KeyedMutex();

  constructor(
    private readonly settings: SettingsReader,
    private readonly limiter: RateLimiterService,
    private readonly contacts: ContactsService,
    private readonly policy: PasswordPolicyService,
    private readonly hasher: PasswordHasher,
    private readonly users: UserRepository,
    private readonly accounts: RegisteredAccountsService,
    private readonly events: UserEventsService,
  ) {}

  /**
   * Throws `rate_limited`, `validation_failed`, `password_too_common`, `username_taken`, `email_taken`, `phone_taken`,
   * `code_invalid`, `verification_disabled` or `default_role_unavailable`. An error leaves no account.
   */
  async register(
    application: Application,
    { request, cookies }: AttemptOrigin,
    creation: Founding = { source: 'register' },
  ): Promise<UserView> {
    await this.limiter.count(LIMIT, request.limitKey);
    const { username, nickname, avatar } = application;
    const password = application.password ?? null;
    const { read, emailProven, phoneProven } = await this.readContacts(application, creation, cookies.codeSecrets);
    if (password !== null) await this.policy.check(password, username, 'password');
    // Registrations of the same name wait for each other, so that only the first one costs a hash.
    const applicant = {
      username,
      nickname: nickname ?? '',
      avatar,
      read,
      emailProven,
      phoneProven,
      termsAccepted: application.terms_accepted,
      attributes: application.attributes ?? {},
      ...creation,
    };
    const user = await this.queue.run(usernameKey(username), () => this.create(applicant, password));
    await this.events.emitCreated({ userId: user.id, username, source: creation.source });
    return user;
  }

  private async readContacts(
    application: Application,
    vouched: VouchedContacts,
    browsers: readonly string[],
  ): Promise<Pick<Applicant, 'read' | 'emailProven' | 'phoneProven'>> {
    const { email, isProven: emailProven } = chooseEmail(application.email, vouched);
    const required = stillRequired(await requiredBySettings(this.settings), vouched, emailProven);
    const input = { ...application, ...(email !== undefined && { email }) };
    const read = await this.contacts.read(input, { required, browsers });
    const { provenPhone } = vouched;
    return { read, emailProven, phoneProven: provenPhone !== undefined && read.contacts.phone === provenPhone };
  }

  private async create(applicant: Omit<Applicant, 'passwordHash'>, password: string | null): Promise<UserView> {
    if (await this.users.isUsernameTaken(applicant.username)) throw usersErrors.usernameTaken();
    const passwordHash = password === null ? null : await this.hasher.hash(password);
    return this.accounts.create({ ...applicant, passwordHash });
  }
}
