import { Injectable } from '@nestjs/common';
import { ProposedSettings, Setting, SettingCheck, SettingChecks, SettingObjection } from '../settings';
import { checkCookieAttributes, CookieProblem } from './cookies';
import { cookieDomain, cookiePath, cookiePrefix } from './http.settings';

const settingOf: Record<CookieProblem['attribute'], Setting<string>> = {
  prefix: cookiePrefix,
  path: cookiePath,
  domain: cookieDomain,
};

/** Prefix, path and domain go together: a browser would drop every cookie that breaks a rule between them. */
@Injectable()
export class CookieSettingsCheck extends SettingCheck {
  readonly watches = [cookiePrefix, cookiePath, cookieDomain];

  constructor(checks: SettingChecks) {
    super();
    checks.add(this);
  }

  async check(proposed: ProposedSettings): Promise<readonly SettingObjection[]> {
    const problems = checkCookieAttributes({
      prefix: proposed.get(cookiePrefix),
      path: proposed.get(cookiePath),
      domain: proposed.get(cookieDomain),
    });
    return problems.map(({ attribute, code }) => ({ setting: settingOf[attribute], code }));
  }
}
