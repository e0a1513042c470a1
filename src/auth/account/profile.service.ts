import { Injectable } from '@nestjs/common';
import { WaysInService } from '../../organizations/settings';
import { accessErrors, RecentLoginService } from '../../platform/access';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { SettingsReader } from '../../platform/settings';
import { sessionErrors } from '../../session';
import {
  AccountChangesService,
  contactChange,
  CredentialSourceRegistry,
  userView,
  UserView,
  onlyNew,
  User,
  UserChange,
  UserRepository,
} from '../../users';
import { UserAttributesService } from '../../users/attributes';
import { contactCodeRequired } from './auth.settings';
import { ContactsService, ReadContacts } from './contacts.service';
import { ChangeProfileDto } from './dto/account.dto';

/** Changes the caller's own profile. */
@Injectable()
export class ProfileService {
  constructor(
    private readonly users: UserRepository,
    private readonly contacts: ContactsService,
    private readonly settings: SettingsReader,
    private readonly transactions: Transactions,
    private readonly credentials: CredentialSourceRegistry,
    private readonly changes: AccountChangesService,
    private readonly recentLogins: RecentLoginService,
    private readonly waysIn: WaysInService,
    private readonly attributes: UserAttributesService,
  ) {}

  /**
   * Throws `attributes_required` for anything else while they are, `validation_failed`, `attribute_unknown`, `attribute_read_only`, `attribute_taken`, `code_invalid`, `verification_disabled`, `login_method_not_accepted`,
   * `reauthentication_required`, `email_taken`, `phone_taken` or `last_credential`.
   */
  async change(caller: Caller, body: ChangeProfileDto): Promise<UserView> {
    if (caller.mustGiveAttributes && !isAttributesOnly(body)) throw accessErrors.attributesRequired();
    const read = await this.contacts.read(body, { caller });
    const codeRequired = await this.settings.get(contactCodeRequired);
    return this.transactions.run(async () => {
      const before = await this.lock(caller);
      const changed = { ...contactChange(before, read.contacts), ...proven(read) };
      if (codeRequired) rejectUnproven(changed);
      if (movesProof(before, changed)) {
        await this.waysIn.requireForContacts(caller, [before.emailKey, changed.emailKey]);
        await this.recentLogins.require(caller);
      }
      await this.contacts.take(read, before.id);
      const attributes = await this.attributes.changed(before.attributes, body.attributes ?? {}, 'owner');
      const wanted = onlyNew(before, { ...plainChange(body), ...changed, attributes });
      const change = await this.changes.check(before, wanted);
      if (Object.keys(change).length === 0) return userView(before);
      const after = await this.users.update(caller.userId, change);
      if (!after) throw sessionErrors.sessionRevoked();
      if (losesProof(before, changed)) await this.credentials.assertHasCredential(after.id);
      await this.changes.recordUpdate(before, after, change);
      return userView(after);
    });
  }

  /** Throws `session_revoked` for a deleted user, who has no session either. */
  private async lock({ userId }: Caller): Promise<User> {
    const user = await this.users.lock(userId);
    if (!user) throw sessionErrors.sessionRevoked();
    return user;
  }
}

function plainChange({ nickname, avatar, locale }: ChangeProfileDto): UserChange {
  return {
    ...(nickname !== undefined && { nickname: nickname ?? '' }),
    ...(avatar !== undefined && { avatar: avatar ?? '' }),
    ...(locale !== undefined && { locale }),
  };
}

const isAttributesOnly = (body: ChangeProfileDto): boolean =>
  Object.entries(body).every(([field, value]) => field === 'attributes' || value === undefined);

function losesProof(before: User, changed: UserChange): boolean {
  return (
    (before.emailVerified && changed.emailKey !== undefined) || (before.phoneVerified && changed.phone !== undefined)
  );
}

/** Whether a contact becomes verified or stops being verified, which opens or closes a way into the account. */
const movesProof = (before: User, changed: UserChange): boolean =>
  losesProof(before, changed) ||
  (changed.emailVerified === true && !before.emailVerified) ||
  (changed.phoneVerified === true && !before.phoneVerified);

function proven({ emailProof, phoneProof }: ReadContacts): UserChange {
  return { ...(emailProof && { emailVerified: true }), ...(phoneProof && { phoneVerified: true }) };
}

function rejectUnproven({ emailKey, emailVerified, phone, phoneVerified }: UserChange): void {
  const missing = [
    ...(emailKey && !emailVerified ? ['email_code'] : []),
    ...(phone && !phoneVerified ? ['phone_code'] : []),
  ];
  if (missing.length === 0) return;
  throw platformErrors.validationFailed({ fields: missing.map((field) => ({ field, code: 'required' })) });
}
