import { Injectable } from '@nestjs/common';
import { accessErrors, RecentLoginService } from '../platform/access';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { RolesService } from '../rbac';
import {
  AccountChangesService,
  contactChange,
  ContactNormalizerService,
  Contacts,
  onlyNew,
  User,
  UserChange,
  UserRepository,
  userView,
  UserView,
} from '../users';
import { AttributeValues, UserAttributesService } from '../users/attributes';
import { AccountClosureService } from './account-closure.service';
import { rejectEmptyProof } from './contact-proof';
import { ChangeUserDto } from './dto/user-input.dto';
import { TargetUsersService } from './target-users.service';

/** Changes accounts for administrators, except accounts that hold more than the administrator does. */
@Injectable()
export class AccountUpdateService {
  constructor(
    private readonly contacts: ContactNormalizerService,
    private readonly users: UserRepository,
    private readonly targets: TargetUsersService,
    private readonly roles: RolesService,
    private readonly closure: AccountClosureService,
    private readonly transactions: Transactions,
    private readonly changes: AccountChangesService,
    private readonly recentLogins: RecentLoginService,
    private readonly attributes: UserAttributesService,
  ) {}

  /**
   * Changing another user's contacts or their verification needs a recent login, like setting a password, because a
   * contact can be used to reset the password.
   * Throws `validation_failed`, `attribute_unknown`, `attribute_read_only`, `attribute_taken`, `not_found`, `escalation_denied` (also for the caller's own contacts and status),
   * `reauthentication_required`, `last_admin`, `username_taken`, `email_taken` or `phone_taken`.
   */
  async change(caller: Caller, id: string, body: ChangeUserDto): Promise<UserView> {
    const contacts = await this.contacts.read(body);
    return this.transactions.run(async () => {
      const before = await this.targets.lock(id);
      const attributes = await this.attributes.changed(before.attributes, body.attributes ?? {}, 'administrator');
      const change = await this.changes.check(before, changeOf(before, body, { ...contacts, attributes }));
      if (id === caller.userId) rejectOwnCredentials(change);
      if (isContaining(body)) await this.targets.requireEqual(caller, id);
      else await this.targets.requireCover(caller, id);
      if (changesContact(change)) await this.recentLogins.require(caller);
      if (Object.keys(change).length === 0) return userView(before);
      if (change.status === 'disabled') await this.closure.endAccess(id);
      const after = await this.update(before, change);
      await this.changes.recordUpdate(before, after, change);
      return userView(after);
    });
  }

  private async update(before: User, change: UserChange): Promise<User> {
    const update = (): Promise<User | null> => this.users.update(before.id, change);
    const after = await (changesContact(change) ? this.roles.keepAdministrators(update) : update());
    if (!after) throw platformErrors.notFound();
    return after;
  }
}

function plainChange(body: ChangeUserDto): UserChange {
  const { username, nickname, avatar, locale, status, must_change_password: mustChange } = body;
  return {
    ...(username !== undefined && { username }),
    ...(nickname !== undefined && { nickname: nickname ?? '' }),
    ...(avatar !== undefined && { avatar: avatar ?? '' }),
    ...(locale !== undefined && { locale }),
    ...(status !== undefined && { status }),
    ...(mustChange !== undefined && { mustChangePassword: mustChange }),
    ...(body.former_username !== undefined && { formerUsername: null }),
  };
}

function changeOf(
  before: User,
  body: ChangeUserDto,
  { attributes, ...contacts }: Contacts & { readonly attributes: AttributeValues },
): UserChange {
  const { email_verified: emailVerified, phone_verified: phoneVerified } = body;
  rejectEmptyProof({ email: before.email, phone: before.phone, ...contacts }, body);
  return onlyNew(before, {
    ...plainChange(body),
    ...contactChange(before, contacts),
    attributes,
    ...(emailVerified !== undefined && { emailVerified }),
    ...(phoneVerified !== undefined && { phoneVerified }),
  });
}

/**
 * Only a change of the status gives no access to the account. Any other change could, or could impersonate another
 * user.
 */
const isContaining = (body: ChangeUserDto): boolean =>
  Object.entries(body).every(([field, value]) => field === 'status' || value === undefined);

const CONTACTS = ['email', 'emailVerified', 'phone', 'phoneVerified'] as const satisfies (keyof UserChange)[];

/** A contact gives access to the account, by a login code or a password reset. */
const changesContact = (change: UserChange): boolean => CONTACTS.some((field) => change[field] !== undefined);

/** Users change their own contacts through routes that require more than a session cookie. */
function rejectOwnCredentials(change: UserChange): void {
  if (changesContact(change) || change.status !== undefined) throw accessErrors.escalationDenied();
}
