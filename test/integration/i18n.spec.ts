import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// The composition root loads every module, so that all declarations are registered.
import '../../src/identity/identity.module';
import { declaredErrors } from '../../src/platform/errors';
import { CookieProblemCode } from '../../src/platform/http';
import { Language, languages, TranslatorService } from '../../src/platform/i18n';
import { declaredSettings } from '../../src/platform/settings';
import { messageChannels, messagePurposes } from '../../src/messaging';
import { DefaultTemplatesService } from '../../src/messaging/templates';
import { fill } from '../../src/messaging/templates/placeholders';
import { samples } from '../../src/messaging/templates/samples';
import { smsSegments } from '../../src/messaging/templates/sms-segments';
import { TemplateKey } from '../../src/messaging/templates/template';
import { templateProblems } from '../../src/messaging/templates/template-rules';
import { PasswordViolation } from '../../src/platform/passwords';
import { NicknameViolation } from '../../src/users';
import { readTexts } from '../support/documents/texts';

const root = join(__dirname, '../..');
const folder = join(root, 'i18n');
let translator: TranslatorService;

beforeAll(async () => {
  translator = await readTexts(folder);
});

/** The closed list of error codes of the HTTP contract by status. */
const contract: Record<number, string> = {
  400: 'validation_failed malformed_json host_rejected code_invalid state_invalid provider_denied settings_update_failed password_too_common password_incorrect attribute_unknown',
  401: 'unauthenticated invalid_credentials token_expired session_revoked refresh_reused temp_token_invalid reauthentication_required',
  403: 'permission_denied system_role_protected registration_disabled login_method_disabled verification_disabled user_disabled password_change_required terms_required csrf_rejected email_domain_not_allowed email_mismatch escalation_denied acting_restricted act_as_disabled invitation_for_another mfa_enrolment_required login_method_not_accepted mfa_disabled client_required guard_scope_required attributes_required attribute_read_only',
  404: 'not_found',
  409: 'username_taken email_taken phone_taken name_taken identity_taken in_use invitation_suspended already_invited channel_unavailable domain_not_verified domain_taken too_many_domains too_many_roles too_many_slugs too_many_passkeys last_admin group_circle group_depth last_login_method last_credential no_verified_contact interaction_answered version_conflict events_expired attribute_taken attribute_trusted limit_reached',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited code_daily_limit_reached code_resend_too_soon account_locked',
  500: 'internal_error default_role_unavailable',
  502: 'delivery_failed provider_failed',
  503: 'unavailable',
};
const contractCodes = Object.entries(contract).flatMap(([status, codes]) =>
  codes.split(' ').map((code) => ({ code, status: Number(status) })),
);

type TypedViolation = NicknameViolation | CookieProblemCode | Exclude<PasswordViolation, 'password_too_common'>;

/** A record, so that the compiler requires every member of the unions. */
const typedViolations: Record<TypedViolation, true> = {
  well_formed: true,
  min_length: true,
  max_length: true,
  no_control_characters: true,
  visible: true,
  cookie_prefix: true,
  cookie_path: true,
  cookie_domain: true,
  host_prefix_path: true,
  host_prefix_domain: true,
};

/** Codes that checks return as plain text, which the pattern does not find. */
const returnedViolations = [
  'permission',
  'scope',
  'username',
  'email',
  'avatar',
  'region',
  'phone_prefix',
  'role_name',
  'provider_name',
  'https_address',
  'private_address',
  'origin',
  'web_address',
  'redirect_uri',
  'web_uri',
  'host_name',
  'identifier',
  'sender',
  'endpoint',
  'web_hook',
  'color',
  'time',
  'provider_template',
  'unknown_placeholder',
  'code_missing',
  'code_in_subject',
  'code_in_link',
  'mail_only',
  'sms_only',
  'mail_html',
  'unknown_setting',
  'version_conflict',
];

/** Values of a violation or an error. The text uses exactly these. */
const fieldParams: Record<string, readonly string[]> = {
  cookie_domain_foreign: ['host'],
  codes_times_attempts: ['max', 'product'],
  type: ['type'],
  min_length: ['min'],
  max_length: ['max'],
  attribute_bytes: ['max'],
  min: ['min'],
  max: ['max'],
  min_items: ['min'],
  max_items: ['max'],
  one_of: ['options'],
  most_providers: ['max'],
  most_webhooks: ['max'],
  unknown_user: ['id'],
  unknown_role: ['id'],
  unknown_group: ['id'],
  unknown_organization: ['id'],
  unknown_login_method: ['method'],
  version_conflict: ['version'],
  unknown_placeholder: ['options'],
  mail_html: ['piece'],
  sms_too_long: ['max'],
  too_many_users: ['max'],
  csv_quotes: ['line'],
  csv_encoding: ['line'],
  csv_repeated: ['first', 'line'],
  csv_column: ['column', 'columns'],
  csv_users: ['max'],
  csv_width: ['line', 'max'],
  csv_roles: ['line', 'max'],
  csv_choice: ['column', 'line', 'options'],
};
const errorParams: Record<string, readonly string[]> = {
  permission_denied: ['permission', 'scope'],
  csrf_rejected: ['check'],
};

type Texts = ReadonlyMap<string, string>;

function flatten(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${path} is not a text`);
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === '' || key.includes('.')) throw new Error(`"${key}" in ${path} can never be found`);
    return flatten(inner, path === '' ? key : `${path}.${key}`);
  });
}

const sectionsOf = (language: string): string[] =>
  readdirSync(join(folder, language))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();

const textsOf = (language: string, section: string): Texts =>
  new Map(flatten(JSON.parse(readFileSync(join(folder, language, `${section}.json`), 'utf8')), ''));

const placeholdersOf = (text: string): string[] =>
  [...new Set(Array.from(text.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name))].sort();

function sources(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(join(path, file), 'utf8'));
}

const sourceViolations = (): string[] =>
  sources(join(root, 'src')).flatMap((source) =>
    Array.from(source.matchAll(/\b(?:code|violation): '([a-z_]+)'/g), ([, code = '']) => code),
  );

/** Keys without a text of the section in some language. */
const missing = (section: string, keys: Iterable<string>): string[] =>
  languages.flatMap((language) => {
    const texts = textsOf(language, section);
    return [...new Set(keys)].filter((key) => !texts.has(key)).map((key) => `${language}/${section}: ${key}`);
  });

describe('texts', () => {
  it('have the same sections in every language', () => {
    for (const language of languages) expect(sectionsOf(language)).toEqual(sectionsOf('en'));
    expect(sectionsOf('en')).toEqual(expect.arrayContaining(['errors', 'settings', 'ui']));
  });

  describe.each(sectionsOf('en'))('of section %s', (section) => {
    const english = textsOf('en', section);

    it.each(languages)('have the same keys in %s', (language) => {
      expect([...textsOf(language, section).keys()]).toEqual([...english.keys()]);
    });

    it.each(languages)('are never empty and never padded in %s', (language) => {
      const bad = [...textsOf(language, section)].filter(([, text]) => text === '' || text !== text.trim());
      expect(bad).toEqual([]);
    });

    it.each(languages)('have the same placeholders in %s', (language) => {
      const placeholders = (texts: Texts): object =>
        Object.fromEntries([...texts].map(([key, text]) => [key, placeholdersOf(text)]));
      expect(placeholders(textsOf(language, section))).toEqual(placeholders(english));
    });

    it.each(languages)('are found by the translator in %s with every placeholder replaced', (language) => {
      for (const [key, text] of textsOf(language, section)) {
        const params = Object.fromEntries(placeholdersOf(text).map((name) => [name, `<${name}>`]));
        const expected = text.replace(/\{([^{}]*)\}/g, '<$1>');
        expect(translator.text(language, section, key, params)).toBe(expected);
      }
    });

    it('are Chinese with Chinese punctuation in zh', () => {
      const bad = [...textsOf('zh', section)].filter(
        ([, text]) => !/\p{Script=Han}/u.test(text) || /[.,;:!?]$|\p{Script=Han}[.,;:!?()]/u.test(text),
      );
      expect(bad).toEqual([]);
    });
  });
});

describe('errors', () => {
  it('are declared with a code and a status of the contract', () => {
    expect(declaredErrors().length).toBeGreaterThan(20);
    const unknown = declaredErrors().filter(
      (declared) => !contractCodes.some(({ code, status }) => code === declared.code && status === declared.status),
    );
    expect(unknown).toEqual([]);
  });

  it('have a text for every code of the contract and every declared one', () => {
    const codes = [...contractCodes, ...declaredErrors()].map(({ code }) => `codes.${code}`);
    expect(missing('errors', codes)).toEqual([]);
  });

  it('have a title for every status', () => {
    const statuses = [...contractCodes, ...declaredErrors()].map(({ status }) => `titles.${status}`);
    expect(missing('errors', statuses)).toEqual([]);
  });

  it('use only known placeholders', () => {
    for (const [key, text] of textsOf('en', 'errors')) {
      const [group = '', code = ''] = key.split('.');
      const known = { codes: errorParams, fields: fieldParams }[group]?.[code] ?? [];
      expect({ key, placeholders: placeholdersOf(text) }).toEqual({ key, placeholders: known });
    }
  });
});

describe('field violations', () => {
  it('are found in the source by the pattern of this test', () => {
    const found = sourceViolations();
    expect(found).toEqual(
      expect.arrayContaining(['required', 'unknown_field', 'type_text', 'one_of', 'type', 'unique']),
    );
  });

  it('have a text for every code', () => {
    // The contract has this code for a default role with permissions that the caller lacks, on the setting's field.
    const codes = [...sourceViolations(), ...Object.keys(typedViolations), ...returnedViolations, 'escalation_denied'];
    expect(
      missing(
        'errors',
        codes.map((code) => `fields.${code}`),
      ),
    ).toEqual([]);
  });

  it('have a text for every code of the input rules', () => {
    const files = ['field-validator.ts', 'constraints.ts', 'fields.ts', 'structured-fields.ts', 'check-input.ts'];
    const rules = files.map((file) => readFileSync(join(root, 'src/platform/http/input', file), 'utf8')).join('\n');
    const codes = Array.from(rules.matchAll(/(?:code: |named\()'([a-z_]+)'/g), ([, code = '']) => `fields.${code}`);
    expect(new Set(codes).size).toBeGreaterThanOrEqual(12);
    expect(missing('errors', codes)).toEqual([]);
  });
});

describe('settings', () => {
  const keys = declaredSettings().map(({ key }) => key);

  const names = keys.flatMap((key) => [`${key}.title`, `${key}.description`]);
  const ending = (language: Language, name: string): [string, string][] =>
    [...textsOf(language, 'settings')].filter(([key]) => key.endsWith(name));

  it('have a title and a description each', () => {
    expect(keys.length).toBeGreaterThan(25);
    expect(missing('settings', names)).toEqual([]);
  });

  it('are named with the file when a text is missing', () => {
    expect(missing('settings', ['app.name.title', 'app.motto.title'])).toEqual([
      'en/settings: app.motto.title',
      'zh/settings: app.motto.title',
    ]);
  });

  it('have no text without a declaration', () => {
    expect([...textsOf('en', 'settings').keys()].filter((key) => !names.includes(key))).toEqual([]);
  });

  it.each(languages)('have titles of their own in %s', (language) => {
    const titles = ending(language, '.title').map(([, text]) => text);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it.each(languages)('have descriptions in whole sentences in %s', (language) => {
    const end = { en: '.', zh: '。' }[language];
    expect(ending(language, '.description').filter(([, text]) => !text.endsWith(end))).toEqual([]);
  });
});

describe('messages', () => {
  const purposes = messagePurposes;

  it('have a default exactly for every channel and purpose', () => {
    const keys = purposes.flatMap((purpose) => [
      `email.${purpose}.subject`,
      `email.${purpose}.text`,
      `sms.${purpose}.text`,
    ]);
    expect([...textsOf('en', 'messages').keys()].sort()).toEqual([...keys, 'contact.none', 'device.unknown'].sort());
  });

  const keys = languages.flatMap((locale) =>
    messageChannels.flatMap((channel) => purposes.map((purpose): TemplateKey => ({ channel, purpose, locale }))),
  );

  it.each(keys)('have a default that follows the template rules: $channel $purpose $locale', (key) => {
    const content = new DefaultTemplatesService(translator).get(key);
    expect(templateProblems(key, content)).toEqual([]);
    // At most two SMS parts, which are billed separately, with a name of ordinary length.
    const sms = fill(content.text, { ...samples, app: '服'.repeat(10) });
    if (key.channel === 'sms') expect(smsSegments(sms)).toBeLessThanOrEqual(2);
  });
});
