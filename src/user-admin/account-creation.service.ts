import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { Caller } from '../platform/context';
import { newId, PasswordHasher } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { UserRolesService } from '../rbac';
import {
  auditedPart,
  avatarPath,
  changedAttributes,
  ContactNormalizerService,
  Contacts,
  NewUser,
  PasswordPolicyService,
  UserEventsService,
  UserRepository,
  userTarget,
  userView,
  UserView,
  userActs,
} from '../users';
import { UserAttributesService } from '../users/attributes';
import { rejectEmptyProof } from './contact-proof';
import { CreateUserDto } from './dto/user-input.dto';

/** Creates accounts for administrators, who cannot assign roles beyond their own grants. */
@Injectable()
export class AccountCreationService {
  constructor(
    private readonly contacts: ContactNormalizerService,
    private readonly policy: PasswordPolicyService,
    private readonly hasher: PasswordHasher,
    private readonly users: UserRepository,
    private readonly userRoles: UserRolesService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly events: UserEventsService,
    private readonly attributes: UserAttributesService,
  ) {}

  /**
   * Throws `validation_failed`, `attribute_unknown`, `attribute_read_only`, `password_too_common`, `escalation_denied`,
   * `username_taken`, `email_taken`, `phone_taken` or `attribute_taken`.
   */
  async create(caller: Caller, body: CreateUserDto): Promise<UserView> {
    const contacts = await this.contacts.read(body);
    rejectEmptyProof(contacts, body);
    const user = newUser(body, contacts, await this.passwordHash(body));
    const created = await this.insert(caller, user, body);
    await this.events.emitCreated({ userId: created.id, username: created.username, source: 'admin' });
    return created;
  }

  private insert(
    caller: Caller,
    account: Omit<NewUser, 'attributes'>,
    { role_ids: roleIds = [], attributes: given = {} }: CreateUserDto,
  ): Promise<UserView> {
    return this.transactions.run(async () => {
      await this.userRoles.requireGivable(caller, roleIds);
      const attributes = await this.attributes.changed({}, given, 'administrator');
      const user = { ...account, attributes };
      const { id: _, ...made } = user;
      const created = await this.users.insert(user);
      await this.audit.record(userActs.create, {
        target: userTarget(created),
        after: { source: 'admin', ...auditedPart(created, made), ...changedAttributes({}, attributes) },
      });
      if (roleIds.length > 0) await this.userRoles.give(caller, created.id, roleIds);
      return userView(created);
    });
  }

  private async passwordHash({ username, password }: CreateUserDto): Promise<string | null> {
    if (password === undefined || password === null) return null;
    await this.policy.check(password, username, 'password');
    return this.hasher.hash(password);
  }
}

function newUser(body: CreateUserDto, contacts: Contacts, passwordHash: string | null): Omit<NewUser, 'attributes'> {
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
    termsVersion: null,
  };
}
