import { Injectable } from '@nestjs/common';
import { eventPermissions } from '../feed';
import { PermissionChecker, RecentLoginService } from '../../platform/access';
import { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { MaybePromise } from '../../platform/util';
import { userPermissions } from '../../rbac';
import { UserCache } from '../../users';
import { ChangeWebhookDto } from './dto/webhook.dto';
import type { Webhook, WebhookFormat } from './webhook.entity';
import { webhookPermissions } from './webhook.permissions';

/** What a change needs besides `webhook:update`: a receiver learns what `event:read` shows. */
@Injectable()
export class WebhookAuthorityService {
  constructor(
    private readonly permissions: PermissionChecker,
    private readonly recentLogins: RecentLoginService,
    private readonly users: UserCache,
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

  /**
   * Whether the user who last set the webhook could set it now, by cached permissions: called before deliveries. A webhook
   * without a known setter belongs to the service.
   */
  async maySend({ setBy, format }: Pick<Webhook, 'setBy' | 'format'>): Promise<boolean> {
    if (setBy === null) return true;
    if ((await this.users.get(setBy))?.status !== 'active') return false;
    const may = (permission: string): MaybePromise<boolean> => this.permissions.isGranted(setBy, permission);
    if (!(await may(webhookPermissions.update)) && !(await may(webhookPermissions.create))) return false;
    return (await may(eventPermissions.read)) && (format !== 'caep' || (await may(userPermissions.administer)));
  }

  private async require({ userId }: Caller, permission: string): Promise<void> {
    if (await this.permissions.isGranted(userId, permission)) return;
    throw platformErrors.permissionDenied({ params: this.permissions.describe(permission) });
  }
}

/** Only a new name changes nothing about what is sent. */
export const changesDeliveries = ({ url, audience, types, enabled, headers }: ChangeWebhookDto): boolean =>
  [url, audience, types, enabled, headers].some((value) => value !== undefined);
