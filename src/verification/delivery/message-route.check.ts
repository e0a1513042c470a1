import { Injectable } from '@nestjs/common';
import { ProposedSettings, SettingCheck, SettingChecks, SettingObjection } from '../../platform/settings';
import { Authority, everythingIn, WILDCARD } from '../../rbac';
import { messageRoute } from './delivery.settings';

/**
 * Who says where codes are sent can read the codes of anybody, the first administrator's too, and reset their password: it
 * takes all that anybody may hold.
 */
@Injectable()
export class MessageRouteCheck extends SettingCheck {
  readonly watches = messageRoute;

  constructor(
    checks: SettingChecks,
    private readonly authority: Authority,
  ) {
    super();
    checks.add(this);
  }

  override prepare(): Promise<void> {
    return this.authority.stand();
  }

  async check(proposed: ProposedSettings): Promise<readonly SettingObjection[]> {
    const changed = this.watches.filter((setting) => proposed.isChanged(setting));
    if (changed.length === 0 || (await this.holdsEverything(proposed.changedBy))) return [];
    return changed.map((setting) => ({ setting, code: 'escalation_denied' }));
  }

  private async holdsEverything(changedBy: string | null): Promise<boolean> {
    if (changedBy === null) return true;
    return this.authority.covers({ userId: changedBy }, [everythingIn(WILDCARD)]);
  }
}
