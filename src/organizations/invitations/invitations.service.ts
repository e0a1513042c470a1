import { Injectable } from '@nestjs/common';
import { Caller, RequestContext } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { listByPage, PageAnswer, pageOf, PageQueryDto } from '../../platform/lists';
import { Organization, OrganizationCoverService } from '../../rbac';
import { OrganizationViewsService } from '../organization-views.service';
import { codeErrors, CodeTarget, CodeTargetsService } from '../../verification';
import { CreateInvitationDto } from './dto/invitation.dto';
import { InvitationChangesService, REJECTED } from './invitation-changes.service';
import { InvitationLimitsService } from './invitation-limits.service';
import { InvitationMessagesService } from './invitation-messages.service';
import { InvitationRepository } from './invitation.repository';
import { InvitationView } from './invitation.views';

const WEEK_SECONDS = 604_800;

/** Invitations of one organization, for those who manage them. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly organizations: OrganizationViewsService,
    private readonly invitations: InvitationRepository,
    private readonly targets: CodeTargetsService,
    private readonly limits: InvitationLimitsService,
    private readonly cover: OrganizationCoverService,
    private readonly changes: InvitationChangesService,
    private readonly messages: InvitationMessagesService,
  ) {}

  /** Newest first. Throws `not_found`. */
  async list(organizationId: string, query: PageQueryDto): Promise<PageAnswer<InvitationView>> {
    await this.organizations.find(organizationId);
    const page = pageOf(query);
    const { items, total } = await this.invitations.list(organizationId, page);
    return listByPage(page, items, { total, isEstimate: false });
  }

  /**
   * Sends the invitation. An invitation whose message was rejected is not kept. Throws `not_found`, `validation_failed`,
   * `channel_unavailable`, `rate_limited`, `system_role_protected`, `escalation_denied`, `already_invited` or
   * `delivery_failed`.
   */
  async create(
    caller: Caller,
    organizationId: string,
    body: CreateInvitationDto,
    request: RequestContext,
  ): Promise<InvitationView> {
    const contact = await this.contactOf(body);
    const [roleIds, lifeSeconds] = [[...new Set(body.role_ids)], body.expires_in ?? WEEK_SECONDS];
    await this.inOrganization(organizationId, async () => {
      await this.cover.requireGivable(caller, organizationId, roleIds);
      await this.changes.requireNone(organizationId, contact);
    });
    await this.limits.count(organizationId, contact);
    const issued = await this.inOrganization(organizationId, async (organization) => {
      await this.cover.requireGivable(caller, organizationId, roleIds);
      const content = { organizationId, inviterId: caller.userId, contact, roleIds, lifeSeconds };
      return { ...(await this.changes.create(content)), organization };
    });
    if (!(await this.messages.send(issued, caller, request))) {
      await this.transactions.run(() => this.changes.withdraw(issued.invitation, REJECTED));
      throw codeErrors.deliveryFailed();
    }
    return issued.invitation;
  }

  /**
   * Sends a new link, which is valid for as long as the former one was; the former one ends. The caller is the inviter from
   * then on. The former link stays if the message is rejected. Throws `not_found`,
   * `channel_unavailable`, `rate_limited`, `escalation_denied` or `delivery_failed`.
   */
  async resend(caller: Caller, organizationId: string, id: string, request: RequestContext): Promise<InvitationView> {
    const lock = (): Promise<InvitationView> => this.lockGivable(caller, organizationId, id);
    const known = await this.inOrganization(organizationId, lock);
    await this.limits.count(organizationId, { channel: known.channel, key: known.target });
    const issued = await this.inOrganization(organizationId, async (organization) => ({
      ...(await this.changes.renew(await lock(), caller.userId)),
      organization,
    }));
    if (!(await this.messages.send(issued, caller, request))) {
      await this.transactions.run(() => this.changes.restore(issued));
      throw codeErrors.deliveryFailed();
    }
    return issued.invitation;
  }

  /** Throws `not_found`. */
  async withdraw(organizationId: string, id: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.changes.withdraw(await this.lock(organizationId, id));
    });
  }

  /** The lock of the grants keeps the organization until the transaction ends. Throws `not_found`. */
  private inOrganization<T>(id: string, work: (organization: Organization) => Promise<T>): Promise<T> {
    return this.transactions.run(async () => {
      await this.cover.lock();
      return work(await this.organizations.find(id));
    });
  }

  private async lockGivable(caller: Caller, organizationId: string, id: string): Promise<InvitationView> {
    const invitation = await this.lock(organizationId, id);
    await this.cover.requireGivable(caller, organizationId, invitation.roleIds);
    return invitation;
  }

  private async lock(organizationId: string, id: string): Promise<InvitationView> {
    const invitation = await this.invitations.lock(organizationId, id);
    if (!invitation) throw platformErrors.notFound();
    return invitation;
  }

  private contactOf({ email, phone }: CreateInvitationDto): Promise<CodeTarget> {
    if (email && !phone) return this.targets.read('email', email, 'email');
    if (phone && !email) return this.targets.read('sms', phone, 'phone');
    const fields = [{ field: phone ? 'phone' : 'email', code: 'one_contact' }];
    throw platformErrors.validationFailed({ fields });
  }
}
