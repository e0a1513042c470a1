import { Injectable } from '@nestjs/common';
import { ProposedSettings, SettingCheck, SettingChecks, SettingObjection } from '../platform/settings';
import { LoginMethods } from '../session';
import { maxDailyCodes, messageRoute } from '../verification';

/** The last login method that works stays: without codes, or a way to send them, those by code do not work. */
@Injectable()
export class LastLoginMethodCheck extends SettingCheck {
  readonly watches = [maxDailyCodes, ...messageRoute];
  /** Of changes under way, whether a method worked before them. */
  private readonly workedBefore = new WeakMap<ProposedSettings, boolean>();

  constructor(
    checks: SettingChecks,
    private readonly methods: LoginMethods,
  ) {
    super();
    checks.add(this);
  }

  override prepare(): Promise<void> {
    return this.methods.stand();
  }

  async check(proposed: ProposedSettings): Promise<readonly SettingObjection[]> {
    // What works is known to the methods alone, which read the settings in force.
    this.workedBefore.set(proposed, await this.doesOneWork());
    return [];
  }

  /** Where none worked before, the changes may be the first step of a repair. */
  override async checkStored(proposed: ProposedSettings): Promise<readonly SettingObjection[]> {
    if (!this.workedBefore.get(proposed) || (await this.doesOneWork())) return [];
    const changed = this.watches.filter((setting) => proposed.isChanged(setting));
    return changed.map((setting) => ({ setting, code: 'last_login_method' }));
  }

  private async doesOneWork(): Promise<boolean> {
    const disabled = await this.methods.loadDisabled();
    const configured = await this.methods.configuredTypes();
    return [...configured].some((type) => !disabled.has(type));
  }
}
