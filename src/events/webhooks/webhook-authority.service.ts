import { Injectable } from '@nestjs/common';
import { eventPermissions } from '../feed';
import { PermissionChecker, RecentLoginService } from '../../platform/access';
import { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { userPermissions } from '../../rbac';
import { ChangeWebhookDto } from './dto/webhook.dto';
import type { WebhookFormat } from './webhook.entity';

/** What a change needs besides `webhook:update`: a receiver learns what `event:read` shows. */
@Injectable()
export class WebhookAuthorityService {
  constructor(
    private readonly permissions: PermissionChecker,
    private readonly recentLogins: RecentLoginService,
  ) {}

  /** Errors: `permission_denied`. */
  async requireEvents(caller: Caller, change: ChangeWebhookDto): Promise<void> {
    if (changesDeliveries(change)) await this.require(caller, eventPermissions.read);
  }

  /** Tokens name what a user holds, as the page of the user does. Errors: `permission_denied`. */
  async requireTokens(caller: Caller, format: WebhookFormat, change?: ChangeWebhookDto): Promise<void> {
    if (format !== 'caep' || (change && !changesDeliveries(change))) return;
    await this.require(caller, userPermissions.administer);
  }

  /** So that a stolen cookie is not enough to send events elsewhere. Errors: `reauthentication_required`. */
  requireRecentLogin(caller: Caller): Promise<void> {
    return this.recentLogins.require(caller);
  }

  private async require({ userId }: Caller, permission: string): Promise<void> {
    if (await this.permissions.isGranted(userId, permission)) return;
    throw platformErrors.permissionDenied({ params: this.permissions.describe(permission) });
  }
}

/** Only a new name changes nothing about what is sent. */
const changesDeliveries = ({ url, audience, types, enabled, headers }: ChangeWebhookDto): boolean =>
  [url, audience, types, enabled, headers].some((value) => value !== undefined);
