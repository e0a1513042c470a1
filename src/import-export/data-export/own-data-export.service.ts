import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { AuditService } from '../../audit';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { RateLimiterService } from '../../platform/http';
import { Log } from '../../platform/logging';
import { sessionErrors } from '../../session';
import { UserCache, userInfoDto, userTarget } from '../../users';
import { UserAttributesService } from '../../users/attributes';
import { OwnActivityService } from './own-activity.service';
import { OwnLoginsService } from './own-logins.service';
import { OwnRightsService } from './own-rights.service';
import { exportsPerHourPerUser } from './own-data.settings';
import { importExportActs } from '../import-export.acts';

const LIMIT = { setting: exportsPerHourPerUser, windowSeconds: 3_600 };
const VERSION = 1;

/** Exports what the service stores about a user, for that user. */
@Injectable()
export class OwnDataExportService {
  constructor(
    private readonly users: UserCache,
    private readonly logins: OwnLoginsService,
    private readonly rights: OwnRightsService,
    private readonly activity: OwnActivityService,
    private readonly attributes: UserAttributesService,
    private readonly limiter: RateLimiterService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    private readonly log: Log,
  ) {}

  /**
   * Streams one JSON object. Its last member is the activity, which follows the reader's speed. An error aborts the
   * response, so that a partial export never looks complete. Throws `rate_limited`, or `session_revoked` for a deleted
   * user.
   */
  async export(caller: Caller): Promise<Readable> {
    const { userId, username } = caller;
    await this.limiter.count(LIMIT, userId);
    const user = await this.users.reload(userId);
    if (!user) throw sessionErrors.sessionRevoked();
    const head = {
      format: 'castellan-own-data',
      version: VERSION,
      exported_at: new Date().toISOString(),
      profile: Object.assign(userInfoDto(user), {
        former_username: user.formerUsername,
        attributes: await this.attributes.shown(user.attributes, 'owner'),
      }),
      ...(await this.logins.collect(caller)),
      ...(await this.rights.collect(userId)),
    };
    const target = userTarget({ id: userId, username });
    await this.transactions.run(() => this.audit.record(importExportActs.exportOwn, { target }));
    return Readable.from(this.json(head, userId), { objectMode: false });
  }

  private async *json(head: object, userId: string): AsyncGenerator<string> {
    yield `${JSON.stringify(head).slice(0, -1)},"activity":[`;
    let separator = '';
    let isComplete = true;
    try {
      for await (const { acts, isCutOff } of this.activity.read(userId)) {
        if (acts.length > 0) yield `${separator}${acts.map((act) => JSON.stringify(act)).join(',')}`;
        separator = ',';
        isComplete = !isCutOff;
      }
    } catch (error) {
      this.log.warn('Export of own data failed', { err: error });
      throw error;
    }
    yield `],"activity_is_complete":${isComplete}}\n`;
  }
}
