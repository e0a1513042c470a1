import { Injectable, OnModuleInit } from '@nestjs/common';
import { SettingsDraft, SettingsValidator, SettingsValidators, SettingViolation } from '../platform/settings';
import { appPrivacy, appTerms } from '../settings';
import { termsAtLogin, termsRequired, termsVersion } from './terms.settings';

/** Users can only accept terms that have a version, and a page on which they can be read. */
@Injectable()
export class TermsSettingsCheck extends SettingsValidator implements OnModuleInit {
  readonly watches = [termsRequired, termsAtLogin, termsVersion, appTerms, appPrivacy];

  constructor(private readonly checks: SettingsValidators) {
    super();
  }

  onModuleInit(): void {
    this.checks.add(this);
  }

  async check(proposed: SettingsDraft): Promise<readonly SettingViolation[]> {
    const asking = [termsRequired, termsAtLogin].filter((setting) => proposed.get(setting));
    if (asking.length === 0) return [];
    const isVersioned = proposed.get(termsVersion) !== '';
    const isReadable = proposed.get(appTerms) !== '' || proposed.get(appPrivacy) !== '';
    return [
      ...(isVersioned ? [] : this.violations(proposed, [termsVersion, ...asking], 'terms_need_version')),
      ...(isReadable ? [] : this.violations(proposed, [appTerms, appPrivacy, ...asking], 'terms_need_page')),
    ];
  }

  /** On the settings that the change names. */
  private violations(
    proposed: SettingsDraft,
    settings: readonly SettingViolation['setting'][],
    code: string,
  ): SettingViolation[] {
    return settings.filter((setting) => proposed.isNamed(setting)).map((setting) => ({ setting, code }));
  }
}
