import { checkWebAddress } from '../../../../src/platform/page-checks';
import type { Info } from '../../shared/info';
import type { Setting, SettingValue } from '../settings/setting';
import type { SettingEdits } from '../settings/use-setting-edits';

/** The settings of the page, by section. */
export const sections = {
  brand: ['app.name', 'app.logo', 'app.logo_dark', 'app.favicon'],
  look: ['app.primary_color', 'app.corner_radius', 'app.font', 'app.background_color', 'app.background_image'],
  links: ['app.terms', 'app.privacy', 'app.support'],
  registration: [
    'register.first_field',
    'register.terms_version',
    'register.terms_required',
    'register.terms_at_login',
  ],
  css: ['app.custom_css'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type SectionName = keyof typeof sections;
export const sectionNames = Object.keys(sections) as SectionName[];

/** Reads the settings as they would be if the edits were saved. */
export class DraftValues {
  constructor(
    private readonly settings: readonly Setting[],
    private readonly edits: SettingEdits,
  ) {}

  text(key: string): string {
    const value = this.value(key);
    return typeof value === 'string' ? value : '';
  }

  /** A valid text. Until the user has finished typing, the stored one. */
  valid(key: string, isValid: (text: string) => boolean): string {
    const typed = this.text(key);
    const stored = this.find(key)?.value;
    return isValid(typed) || typeof stored !== 'string' ? typed : stored;
  }

  number(key: string): number {
    const value = this.value(key);
    return typeof value === 'number' ? value : Number(this.find(key)?.value ?? 0);
  }

  isOn(key: string): boolean {
    return this.value(key) === true;
  }

  private value(key: string): SettingValue | undefined {
    const setting = this.find(key);
    if (!setting) return undefined;
    const typed = this.edits.typed(setting);
    if (typed === undefined) return setting.value;
    return typed === null ? setting.default_value : typed;
  }

  private find(wanted: string): Setting | undefined {
    return this.settings.find(({ key }) => key === wanted);
  }
}

const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);
const isColorOrNone = (text: string): boolean => text === '' || isColor(text);
const isAddress = (text: string): boolean => checkWebAddress(text) === undefined;
const FIRST_FIELDS: Readonly<Record<string, Info['registration']['first_field']>> = {
  username: 'username',
  email: 'email',
  phone: 'phone',
};

const CONTACTS: Readonly<Record<string, Info['registration']['contact_required']>> = {
  none: 'none',
  email: 'email',
  phone: 'phone',
  either: 'either',
  both: 'both',
};

export function brandingOf(values: DraftValues): Info['branding'] {
  const address = (key: string): string => values.valid(key, isAddress);
  return {
    logo: address('app.logo'),
    logo_dark: address('app.logo_dark'),
    favicon: address('app.favicon'),
    primary_color: values.valid('app.primary_color', isColor),
    corner_radius: values.number('app.corner_radius'),
    font: values.text('app.font'),
    background_color: values.valid('app.background_color', isColorOrNone),
    background_image: address('app.background_image'),
    stylesheet: '',
    terms: address('app.terms'),
    privacy: address('app.privacy'),
    support: address('app.support'),
  };
}

export function registrationOf(values: DraftValues, info: Info): Info['registration'] {
  return {
    ...info.registration,
    contact_required: CONTACTS[values.text('register.contact_required')] ?? 'none',
    first_field: FIRST_FIELDS[values.text('register.first_field')] ?? 'username',
    terms_version: values.text('register.terms_version'),
    terms_required: values.isOn('register.terms_required'),
  };
}
