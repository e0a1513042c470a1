import { Injectable } from '@nestjs/common';
import { FullAuthority, RecentLoginService } from '../platform/access';
import { actingSystemActor, currentRequest } from '../platform/context';
import { Setting } from '../platform/settings';

/**
 * Decides who may change which settings. The command line and the host application may change all, and so may the
 * service itself, without a request.
 */
@Injectable()
export class SettingAuthorityService {
  constructor(
    private readonly fullAuthority: FullAuthority,
    private readonly recentLogins: RecentLoginService,
  ) {}

  /** Throws `reauthentication_required` when one of the settings is sensitive and the caller's login is not recent. */
  async requireRecentLogin(settings: readonly Setting[]): Promise<void> {
    const caller = requestOfUser()?.caller;
    if (caller && settings.some(({ sensitive }) => sensitive)) await this.recentLogins.require(caller);
  }

  /**
   * Returns the keys that the caller may not change, and audits each denied attempt. Call in the transaction of the
   * change, before it locks the settings: other writers take the grant lock first and then the settings lock, so the
   * opposite order deadlocks.
   */
  async deniedAmong(settings: Iterable<Setting>): Promise<ReadonlySet<string>> {
    const denied = new Set<string>();
    const request = requestOfUser();
    if (!request) return denied;
    for (const { key, guarded = false } of settings) {
      if (!guarded) continue;
      // All guarded settings need the same authority, so one check decides for all of them.
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

const requestOfUser = (): ReturnType<typeof currentRequest> => (actingSystemActor() ? undefined : currentRequest());
