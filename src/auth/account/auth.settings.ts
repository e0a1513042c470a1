import { boolean, choice, defineSetting, integer } from '../../platform/settings';

export const registrationEnabled = defineSetting({
  key: 'register.enabled',
  defaultValue: true,
  kind: boolean,
  public: true,
  sensitive: true,
});

export const emailCodeRequired = defineSetting({
  key: 'register.email_code_required',
  defaultValue: false,
  kind: boolean,
  public: true,
  sensitive: true,
});

export const phoneCodeRequired = defineSetting({
  key: 'register.phone_code_required',
  defaultValue: false,
  kind: boolean,
  public: true,
  sensitive: true,
});

export const contactRequirements = ['none', 'email', 'phone', 'either', 'both'] as const;
export type ContactRequirement = (typeof contactRequirements)[number];

/** The contacts that a registration must name, verified or not. */
export const contactRequired = defineSetting<ContactRequirement>({
  key: 'register.contact_required',
  defaultValue: 'none',
  kind: choice(contactRequirements),
  public: true,
  sensitive: true,
});

export const registrationFirstFields = ['username', 'email', 'phone'] as const;

/** What the registration page asks for first. */
export const registrationFirstField = defineSetting({
  key: 'register.first_field',
  defaultValue: 'username',
  kind: choice(registrationFirstFields),
  public: true,
  sensitive: false,
});

/** Without this, a changed contact without a code is stored unverified. With it, the change is rejected. */
export const contactCodeRequired = defineSetting({
  key: 'profile.contact_code_required',
  defaultValue: false,
  kind: boolean,
  sensitive: true,
});

/** How long an account awaits the deletion that its owner asked for. 0: it is deleted at once. */
export const deletionGraceDays = defineSetting({
  key: 'profile.deletion_grace_days',
  defaultValue: 0,
  kind: integer({ minimum: 0, maximum: 90 }),
  sensitive: true,
});

export const registerPerHourPerAddress = defineSetting({
  key: 'rate.register_per_hour_ip',
  defaultValue: 60,
  kind: integer({ minimum: 1, maximum: 1_000_000 }),
  sensitive: true,
});

export const searchPerMinutePerUser = defineSetting({
  key: 'rate.search_per_minute_user',
  defaultValue: 60,
  kind: integer({ minimum: 1, maximum: 1_000_000 }),
  sensitive: true,
});
