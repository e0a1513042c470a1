import { Injectable } from '@nestjs/common';
import { MessengerService, PhonePrefixAllowlistService } from '../../messaging';
import { platformErrors } from '../../platform/errors';
import { RateLimit, RateLimiterService } from '../../platform/http';
import { CodeTarget } from '../../verification';
import { invitationErrors } from './invitations.errors';
import {
  invitationsPerDayPerContact,
  invitationsPerDayPerOrganization,
  invitationsPerDayPerOrganizationContact,
} from './invitation.settings';

const DAY = 86_400;
const PER_CONTACT: RateLimit = { setting: invitationsPerDayPerContact, windowSeconds: DAY };
const PER_ORGANIZATION_AND_CONTACT: RateLimit = {
  setting: invitationsPerDayPerOrganizationContact,
  windowSeconds: DAY,
};
const PER_ORGANIZATION: RateLimit = { setting: invitationsPerDayPerOrganization, windowSeconds: DAY };

/** Limits the messages to people who did not ask for them. */
@Injectable()
export class InvitationLimitsService {
  constructor(
    private readonly messenger: MessengerService,
    private readonly phonePrefixes: PhonePrefixAllowlistService,
    private readonly limiter: RateLimiterService,
  ) {}

  /**
   * Counts a message. Call right before it is sent, after all refusals. The limits of the organization come first: beyond
   * them, it can neither use up what others may send nor learn of it. Throws
   * `validation_failed` on `phone`, `channel_unavailable` or `rate_limited`.
   */
  async count(organizationId: string, { channel, key }: Pick<CodeTarget, 'channel' | 'key'>): Promise<void> {
    if (!(await this.phonePrefixes.allows(channel, key))) {
      throw platformErrors.validationFailed({ fields: [{ field: 'phone', code: 'phone_not_served' }] });
    }
    if (!(await this.messenger.isOffered(channel))) throw invitationErrors.channelUnavailable();
    await this.limiter.count(PER_ORGANIZATION_AND_CONTACT, `${organizationId} ${channel} ${key}`);
    await this.limiter.count(PER_ORGANIZATION, organizationId);
    await this.limiter.count(PER_CONTACT, `${channel} ${key}`);
  }
}
