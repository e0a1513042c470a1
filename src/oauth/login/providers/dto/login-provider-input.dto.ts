import {
  BooleanField,
  FieldOptions,
  IntegerField,
  ObjectField,
  TextField,
  TextListField,
} from '../../../../platform/input';

const NAME = '^[a-z0-9][a-z0-9-]{0,49}$';
const isName = (text: string): boolean => new RegExp(NAME).test(text);
const MAX_ADDRESS = 1_000;
/** With the tenant appended, it must fit the key of an identity. */
const MAX_ISSUER = 255;

const TEXTS = { type: 'string', nullable: true };
const TemplateOr = (description: string, example?: unknown): FieldOptions => ({
  description: `${description}. Left out or null: the template's`,
  optional: true,
  nullable: true,
  example,
});

const NameField = (optional: boolean): PropertyDecorator =>
  TextField({
    description: 'In addresses, such as that of the callback; unique',
    max: 50,
    check: (text) => (isName(text) ? undefined : 'provider_name'),
    pattern: NAME,
    example: 'github',
    optional,
  });
const LabelField = (optional: boolean): PropertyDecorator =>
  TextField({
    description: "For people; default: the template's",
    min: 1,
    max: 100,
    check: visible,
    example: 'GitHub',
    optional,
  });
const ClientIdField = (optional: boolean): PropertyDecorator =>
  TextField({
    description: 'As the provider gave it',
    min: 1,
    max: 200,
    check: visible,
    example: 'Iv1.0123456789abcdef',
    optional,
  });

const visible = (text: string): string | undefined => (text.trim() === '' ? 'visible' : undefined);
const AddressField = (what: string, example: string, max = MAX_ADDRESS): PropertyDecorator =>
  TextField({ ...TemplateOr(what, example), max });

/** What may be set when a provider is made, and changed later. */
abstract class LoginProviderFields {
  @TextField({
    description: 'Write-only; null, empty or left out: the one that is there is kept',
    max: 8_000,
    optional: true,
    nullable: true,
    example: 'from-the-provider',
  })
  client_secret?: string | null;

  @AddressField('Where the browser is sent', 'https://github.com/login/oauth/authorize') authorize_url?: string | null;
  @AddressField('Where the code is traded', 'https://github.com/login/oauth/access_token') token_url?: string | null;
  @AddressField('Where the person is described', 'https://api.github.com/user') userinfo_url?: string | null;
  @AddressField(
    'Who vouches for the people; with OpenID Connect the address of discovery',
    'https://github.com',
    MAX_ISSUER,
  )
  issuer?: string | null;

  @TextListField({
    ...TemplateOr('What is asked for', ['read:user', 'user:email']),
    max: 50,
    entry: { min: 1, max: 200 },
  })
  scopes?: string[] | null;

  @ObjectField({
    ...TemplateOr('Where values stand: dotted paths, alternatives parted by `|`, null for nowhere', {
      subject: 'id',
      nickname: 'name|login',
      phone: null,
    }),
    values: TEXTS,
  })
  mapping?: Record<string, unknown> | null;

  @ObjectField({
    description: "The template's own fields",
    values: TEXTS,
    optional: true,
    example: { team_id: 'A1B2C3D4E5' },
  })
  params?: Record<string, unknown>;

  @BooleanField(TemplateOr('Whether the code is bound to a verifier (RFC 7636)')) pkce?: boolean | null;

  @BooleanField({ description: 'Whether unknown people get an account at once', optional: true })
  auto_register?: boolean;

  @BooleanField({
    description: 'Whether an e-mail that the provider calls verified finds the account that has verified it, too',
    optional: true,
  })
  trust_email?: boolean;

  @BooleanField({ description: 'Whether it is offered', optional: true }) enabled?: boolean;

  @TextField({
    description: 'An https address, or a path',
    max: 500,
    check: (text) => (text === '' || isIcon(text) ? undefined : 'web_address'),
    example: '/icons/github.svg',
    optional: true,
    nullable: true,
  })
  icon?: string | null;

  @IntegerField({ description: 'The place in lists', min: -1_000_000, max: 1_000_000, optional: true, example: 10 })
  sort?: number;
}

export class CreateLoginProviderDto extends LoginProviderFields {
  @NameField(false) name: string;
  /** Default: that of the template. */
  @LabelField(true) label?: string;
  @TextField({ description: 'One of GET /api/oauth/template; never changed', max: 50, example: 'github' })
  template: string;
  @ClientIdField(false) client_id: string;
}

export class ChangeLoginProviderDto extends LoginProviderFields {
  @NameField(true) name?: string;
  @LabelField(true) label?: string;
  @ClientIdField(true) client_id?: string;
}

function isIcon(text: string): boolean {
  if (/^\/(?![/\\])/.test(text)) return !/[\\\s]/.test(text);
  return URL.canParse(text) && new URL(text).protocol === 'https:';
}
