import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { createLru } from '../../../platform/cache';
import { UserCache } from '../../../users';
import { OAuthClient } from '../clients/client.entity';
import { clientActs } from '../core/authorization-server.acts';

/** The step of the protocol that rejected a user. */
export type ProtocolStep = 'authorize' | 'token' | 'refresh' | 'userinfo' | 'introspection';

const PAUSE_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;

/**
 * Audits the users that a client's `access` or organization rejects: on each instance at most once an hour for a client, user and step,
 * because applications repeat their requests.
 */
@Injectable()
export class AccessRejectionsService {
  private readonly recorded = createLru<{ readonly until: number }>(MAX_REMEMBERED);

  constructor(
    private readonly audit: AuditService,
    private readonly users: UserCache,
  ) {}

  async record(client: Pick<OAuthClient, 'id' | 'name'>, userId: string, step: ProtocolStep): Promise<void> {
    const key = `${client.id} ${userId} ${step}`;
    const now = performance.now();
    if (now < (this.recorded.get(key)?.until ?? 0)) return;
    this.recorded.set(key, { until: now + PAUSE_MS });
    try {
      await this.write(client, userId, step);
    } catch (error) {
      this.recorded.delete(key);
      throw error;
    }
  }

  private async write(
    { id, name }: Pick<OAuthClient, 'id' | 'name'>,
    userId: string,
    step: ProtocolStep,
  ): Promise<void> {
    const user = await this.users.get(userId);
    if (!user) return;
    await this.audit.recordFailure(clientActs.rejectUser, {
      actor: { id: userId, username: user.username },
      target: { type: 'oauth_client', id, label: name },
      after: { step },
    });
  }
}
