import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { accessErrors } from '../platform/access';
import { Caller } from '../platform/context';
import { newId, PasswordHasher } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { Authority, Roles, UserRoles } from '../rbac';
import { Sessions } from '../session';
import {
  AccountEvents,
  auditedPart,
  avatarPath,
  contactChange,
  ContactForms,
  Contacts,
  knownUser,
  KnownUser,
  NewUser,
  onlyNew,
  PasswordPolicy,
  User,
  UserChange,
  UserDeletions,
  UserEvents,
  UserRepository,
  UserState,
  userTarget,
} from '../users';
import { Codes } from '../verification';
import { ChangeUserDto, CreateUserDto } from './dto/user-input.dto';
import { TargetUsers } from './target-users.service';

/** Accounts made, changed and deleted by administrators, who touch nobody that holds more than they do. */
@Injectable()
export class Accounts {
  constructor(
    private readonly contacts: ContactForms,
    private readonly policy: PasswordPolicy,
    private readonly hasher: PasswordHasher,
    private readonly users: UserRepository,
    private readonly deletions: UserDeletions,
    private readonly userState: UserState,
    private readonly targets: TargetUsers,
    private readonly authority: Authority,
    private readonly roles: Roles,
    private readonly userRoles: UserRoles,
    private readonly sessions: Sessions,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
    private readonly events: UserEvents,
    private readonly accountEvents: AccountEvents,
    private readonly codes: Codes,
  ) {}

  /**
   * Errors: `validation_failed`, `password_too_common`, `escalation_denied`, `username_taken`, `email_taken`,
   * `phone_taken`.
   */
  async create(caller: Caller, body: CreateUserDto): Promise<KnownUser> {
    const contacts = await this.contacts.read(body);
    refuseProofOfNothing(contacts, body);
    const user = newUser(body, contacts, await this.passwordHash(body));
    const created = await this.insert(caller, user, body.role_ids ?? []);
    await this.events.emitCreated({ userId: created.id, username: created.username, source: 'admin' });
    return created;
  }

  /**
   * Another's contacts and their proof need a recent login, as a password does: the one leads to the other.
   * Errors: `validation_failed`, `not_found`, `escalation_denied` (also for the own contacts and status),
   * `reauthentication_required`, `last_admin`, `username_taken`, `email_taken`, `phone_taken`.
   */
  async change(caller: Caller, id: string, body: ChangeUserDto): Promise<KnownUser> {
    const contacts = await this.contacts.read(body);
    return this.transactions.run(async () => {
      const before = await this.targets.lock(id);
      const change = changeOf(before, body, contacts);
      if (id === caller.userId) refuseOwnWaysIn(change);
      await this.authority.requireCoverOfUser(caller, id);
      if (movesContact(change) && !caller.recentLogin) throw platformErrors.reauthenticationRequired();
      if (Object.keys(change).length === 0) return knownUser(before);
      if (change.status === 'disabled') await this.disable(id);
      const after = await this.update(before, change);
      await this.audit.record({
        action: 'user.update',
        target: userTarget(after),
        before: auditedPart(before, change),
        after: auditedPart(after, change),
      });
      await this.userState.changed(id);
      await this.accountEvents.changed(before, after);
      return knownUser(after);
    });
  }

  /** The account and all that hangs on it. Errors: `not_found`, `escalation_denied` (also for oneself), `last_admin`. */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.transactions.run(async () => {
      const user = await this.targets.lock(id);
      if (id === caller.userId) throw accessErrors.escalationDenied();
      await this.authority.requireCoverOfUser(caller, id);
      await this.roles.refuseIfLastAdmin(id);
      await this.sessions.revokeAll(id);
      await this.audit.record({
        action: 'user.delete',
        target: userTarget(user),
        before: { status: user.status },
      });
      await this.deletions.prepare(id);
      await this.users.delete(id);
      await this.userState.changed(id);
    });
  }

  private async update(before: User, change: UserChange): Promise<User> {
    const update = (): Promise<User | null> => this.users.update(before.id, change);
    const after = await (movesContact(change) ? this.roles.keepAdministrators(update) : update());
    if (!after) throw platformErrors.notFound();
    return after;
  }

  private insert(caller: Caller, user: NewUser, roleIds: readonly string[]): Promise<KnownUser> {
    return this.transactions.run(async () => {
      await this.userRoles.requireGivable(caller, roleIds);
      const { id: _, ...made } = user;
      const created = await this.users.insert(user);
      await this.audit.record({
        action: 'user.create',
        target: userTarget(created),
        after: { source: 'admin', ...auditedPart(created, made) },
      });
      if (roleIds.length > 0) await this.userRoles.give(caller, created.id, roleIds);
      return knownUser(created);
    });
  }

  private async passwordHash({ username, password }: CreateUserDto): Promise<string | null> {
    if (password === undefined || password === null) return null;
    await this.policy.check(password, username, 'password');
    return this.hasher.hash(password);
  }

  private async disable(id: string): Promise<void> {
    await this.roles.refuseIfLastAdmin(id);
    await this.sessions.revokeAll(id);
    await this.codes.endFor(id);
  }
}

function newUser(body: CreateUserDto, contacts: Contacts, passwordHash: string | null): NewUser {
  return {
    id: newId(),
    username: body.username,
    nickname: body.nickname ?? '',
    avatar: avatarPath(),
    email: contacts.email ?? null,
    emailKey: contacts.emailKey ?? null,
    emailVerified: body.email_verified ?? false,
    phone: contacts.phone ?? null,
    phoneVerified: body.phone_verified ?? false,
    locale: body.locale ?? null,
    status: 'active',
    passwordHash,
    mustChangePassword: body.must_change_password ?? passwordHash !== null,
  };
}

function changeOf(before: User, body: ChangeUserDto, contacts: Contacts): UserChange {
  const { username, nickname, locale, status } = body;
  const { email_verified: emailVerified, phone_verified: phoneVerified, must_change_password: mustChange } = body;
  refuseProofOfNothing({ email: before.email, phone: before.phone, ...contacts }, body);
  return onlyNew(before, {
    ...(username !== undefined && { username }),
    ...(nickname !== undefined && { nickname: nickname ?? '' }),
    ...(locale !== undefined && { locale }),
    ...(status !== undefined && { status }),
    ...(mustChange !== undefined && { mustChangePassword: mustChange }),
    ...contactChange(before, contacts),
    ...(emailVerified !== undefined && { emailVerified }),
    ...(phoneVerified !== undefined && { phoneVerified }),
  });
}

const CONTACTS = ['email', 'emailVerified', 'phone', 'phoneVerified'] as const satisfies (keyof UserChange)[];

/** A contact leads into the account: by a code, or by a new password that it proves. */
const movesContact = (change: UserChange): boolean => CONTACTS.some((field) => change[field] !== undefined);

/** Its owner proves more than a cookie before changing what opens or closes the account. */
function refuseOwnWaysIn(change: UserChange): void {
  if (movesContact(change) || change.status !== undefined) throw accessErrors.escalationDenied();
}

/** A contact that is not there cannot have been proved. */
function refuseProofOfNothing(
  { email, phone }: Contacts,
  { email_verified: emailVerified, phone_verified: phoneVerified }: CreateUserDto | ChangeUserDto,
): void {
  const fields = [
    ...(emailVerified && !email ? ['email_verified'] : []),
    ...(phoneVerified && !phone ? ['phone_verified'] : []),
  ];
  if (fields.length === 0) return;
  throw platformErrors.validationFailed({ fields: fields.map((field) => ({ field, code: 'nothing_to_verify' })) });
}
