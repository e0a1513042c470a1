import { Injectable } from '@nestjs/common';
import { FullAuthority, RecentLoginService } from '../platform/access';
import { currentRequest } from '../platform/context';
import { Setting } from '../platform/settings';

/** Who may change which settings. Without a request it is an operator at the machine, who may change all of them. */
@Injectable()
export class SettingAuthorityService {
  constructor(
    private readonly fullAuthority: FullAuthority,
    private readonly recentLogins: RecentLoginService,
  ) {}

  /** Errors: `reauthentication_required` where one of them is sensitive. */
  async requireRecentLogin(settings: readonly Setting[]): Promise<void> {
    const caller = currentRequest()?.caller;
    if (caller && settings.some(({ sensitive }) => sensitive)) await this.recentLogins.require(caller);
  }

  /**
   * The keys of those that the caller may not change, each attempt of which is audited. In the transaction of the change,
   * before it locks the settings: who goes on to change settings holds the lock on authority already.
   */
  async deniedAmong(settings: Iterable<Setting>): Promise<ReadonlySet<string>> {
    const denied = new Set<string>();
    const request = currentRequest();
    if (!request) return denied;
    for (const { key, guarded = false } of settings) {
      if (!guarded) continue;
      // Guarded settings all need the same: who may change one of them may change every one.
      if (await this.holdsEverything(request.caller?.userId, key)) return new Set();
      denied.add(key);
    }
    return denied;
  }

  private async holdsEverything(userId: string | undefined, key: string): Promise<boolean> {
    if (userId === undefined) return false;
    return this.fullAuthority.isHeldBy(userId, { type: 'setting', id: key });
  }
}
