import { Injectable } from '@nestjs/common';
import { RecentLoginService } from '../../platform/access';
import { Caller } from '../../platform/context';
import { AccountChangesService, ContactOwnershipService, User, UserChange, UserRepository } from '../../users';
import { CodeTargetsService } from '../../verification';
import { WaysInService } from '../settings';
import { InvitationView } from './invitation.views';
import { invitationErrors } from './invitations.errors';

/**
 * Compares the invited contact with the account that accepts, and verifies it there: the link came to the contact. An
 * account is never given a contact: a forwarded link would let the invited person log in to the account of another.
 */
@Injectable()
export class InvitedContactsService {
  constructor(
    private readonly users: UserRepository,
    private readonly targets: CodeTargetsService,
    private readonly ownership: ContactOwnershipService,
    private readonly accountChanges: AccountChangesService,
    private readonly recentLogins: RecentLoginService,
    private readonly waysIn: WaysInService,
  ) {}

  /**
   * Call in the transaction that has locked the user. A contact becomes verified with a recent login only, because it opens
   * a way into the account. Throws `invitation_for_another` if the account has another contact of that kind or none, or if
   * another account has verified it; `login_method_not_accepted`, `reauthentication_required`, `email_taken` or `phone_taken`.
   */
  async require(caller: Caller, user: User, { channel, target, address }: InvitationView): Promise<void> {
    const isEmail = channel === 'email';
    if ((isEmail ? user.emailKey : user.phone) !== target) throw invitationErrors.invitationForAnother();
    if (isEmail ? user.emailVerified : user.phoneVerified) return;
    if (await this.targets.findOwner({ channel, key: target, address })) throw invitationErrors.invitationForAnother();
    await this.waysIn.requireForContacts(caller, [user.emailKey]);
    await this.recentLogins.require(caller);
    await this.ownership.take(isEmail ? { emailKey: target } : { phone: target }, user.id);
    await this.store(user, isEmail ? { emailVerified: true } : { phoneVerified: true });
  }

  private async store(before: User, change: UserChange): Promise<void> {
    const after = await this.users.update(before.id, change);
    if (!after) return;
    await this.accountChanges.recordUpdate(before, after, change, 'verified by an invitation');
  }
}
