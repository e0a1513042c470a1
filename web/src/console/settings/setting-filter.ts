import type { Setting } from './setting';
import type { SettingEdits } from './use-setting-edits';

/** SMS providers with settings of their own: `sms.<provider>.*`. */
const OF_PROVIDER = /^sms\.(aliyun|tencent|twilio|http)\./;
const PROVIDER_KEYS = ['sms.provider', 'sms.fallback_provider'];

export interface SettingFilter {
  readonly keyword: string;
  readonly changed: boolean;
}

const includes = (text: string, keyword: string): boolean => text.toLowerCase().includes(keyword.toLowerCase());

const isFound = ({ key, title, description }: Setting, keyword: string): boolean =>
  [key, title, description].some((text) => includes(text, keyword));

/** Whether the filter hides anything. The matching categories are then open. */
export const isFiltered = ({ keyword, changed }: SettingFilter): boolean => keyword !== '' || changed;

/**
 * Selects the settings to show. Without a filter, the settings of SMS providers that are not in use are left out.
 */
export function shownSettings(settings: readonly Setting[], filter: SettingFilter, edits: SettingEdits): Setting[] {
  const { keyword, changed } = filter;
  if (isFiltered(filter)) {
    return settings.filter(
      (setting) => isFound(setting, keyword) && (!changed || setting.is_set || edits.typed(setting) !== undefined),
    );
  }
  const used = settings
    .filter(({ key }) => PROVIDER_KEYS.includes(key))
    .map((setting) => edits.typed(setting) ?? setting.value);
  return settings.filter((setting) => {
    const [, provider] = OF_PROVIDER.exec(setting.key) ?? [];
    return provider === undefined || used.includes(provider) || edits.typed(setting) !== undefined;
  });
}
