import { Setting } from '../../platform/settings';
import { appLogo, appName, appPrimaryColor, appPrivacy, appSupport, appTerms } from '../../settings';

/** The settings of the service that an organization may replace for itself. Their kinds are the rules for its values, too. */
export const brandingSettings = {
  name: appName,
  logo: appLogo,
  primary_color: appPrimaryColor,
  terms: appTerms,
  privacy: appPrivacy,
  support: appSupport,
} as const satisfies Readonly<Record<string, Setting<string>>>;

export type BrandingName = keyof typeof brandingSettings;

export const brandingNames = Object.keys(brandingSettings) as BrandingName[];

/** What pages and messages show. */
export type Branding = Readonly<Record<BrandingName, string>>;

/** The values of an organization. What is absent is as the service has it. */
export interface OrganizationSettings extends Partial<Branding> {
  /** Login methods of sessions that may act there: types of the service, or `oauth:<provider>`. Absent: all. */
  readonly login_methods?: readonly string[];
}

/** New values; null takes the organization's value away, and what is absent stays. */
export type OrganizationSettingsChange = {
  readonly [Name in keyof OrganizationSettings]?: OrganizationSettings[Name] | null;
};

/** The settings after the change, always in the same order. */
export function changedSettings(
  before: OrganizationSettings,
  change: OrganizationSettingsChange,
): OrganizationSettings {
  const merged = { ...before, ...change };
  const names = [...brandingNames, 'login_methods'] as const;
  return Object.fromEntries(names.flatMap((name) => (merged[name] == null ? [] : [[name, merged[name]]])));
}

/**
 * Whether an organization accepts a session that began by the method.
 * @param accepted its login methods. Undefined: all
 * @param method undefined: unknown
 */
export const acceptsMethod = (accepted: ReadonlySet<string> | undefined, method: string | undefined): boolean =>
  accepted === undefined || (method !== undefined && accepted.has(method));

/** What an organization shows as its own on pages of the service. */
const IDENTITY = ['name', 'logo'] as const;

/** Whether the change needs a recent login: of the login methods, of name and logo, and of what is sensitive in the service. */
export function isSensitiveChange(before: OrganizationSettings, after: OrganizationSettings): boolean {
  const isChanged = (name: keyof OrganizationSettings): boolean =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const sensitive = brandingNames.filter((name) => brandingSettings[name].sensitive === true);
  return [...IDENTITY, ...sensitive, 'login_methods' as const].some(isChanged);
}
