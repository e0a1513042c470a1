import { Injectable, OnModuleInit } from '@nestjs/common';
import { SettingsDraft, SettingsValidator, SettingsValidators, SettingViolation } from '../../platform/settings';
import { LoginMethodRegistry } from './login-method.registry';
import { messageRoute } from '../../messaging';
import { maxDailyCodes } from '../../verification';

/** Keeps one working login method. Methods by code need codes and a channel that sends them. */
@Injectable()
export class LastLoginMethodCheck extends SettingsValidator implements OnModuleInit {
  readonly watches = [maxDailyCodes, ...messageRoute];
  /** Whether a method worked before the changes of a draft. */
  private readonly workedBefore = new WeakMap<SettingsDraft, boolean>();

  constructor(
    private readonly checks: SettingsValidators,
    private readonly methods: LoginMethodRegistry,
  ) {
    super();
  }

  onModuleInit(): void {
    this.checks.add(this);
  }

  override prepare(): Promise<void> {
    return this.methods.lock();
  }

  async check(proposed: SettingsDraft): Promise<readonly SettingViolation[]> {
    // Only the methods know whether they work, and they read the effective settings.
    this.workedBefore.set(proposed, await this.doesOneWork());
    return [];
  }

  /** When no method worked before, the changes may be the first step of a repair, so they pass. */
  override async checkStored(proposed: SettingsDraft): Promise<readonly SettingViolation[]> {
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
