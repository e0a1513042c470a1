import {
  BooleanField,
  FieldOptions,
  IdField,
  IntegerField,
  ObjectField,
  TextField,
  TextListField,
} from '../../../../platform/http/input';

const NAME = '^[a-z0-9][a-z0-9-]{0,49}$';
const isName = (text: string): boolean => new RegExp(NAME).test(text);
const MAX_ADDRESS = 1_000;
/** Must fit the key of an identity together with a tenant id. */
const MAX_ISSUER = 255;

const TEXTS = { type: 'string', nullable: true };
const TemplateOr = (description: string, example?: unknown): FieldOptions => ({
  description: `${description}. Omitted or null: the template's value`,
  optional: true,
  nullable: true,
  example,
});

const NameField = (optional: boolean): PropertyDecorator =>
  TextField({
    description: 'Unique name, used in URLs such as the callback',
    max: 50,
    check: (text) => (isName(text) ? undefined : 'provider_name'),
    pattern: NAME,
    example: 'github',
    optional,
  });
const LabelField = (optional: boolean): PropertyDecorator =>
  TextField({
    description: "Name that users see. Default: the template's",
    min: 1,
    max: 100,
    check: visible,
    example: 'GitHub',
    optional,
  });
const ClientIdField = (optional: boolean): PropertyDecorator =>
  TextField({
    description: 'The client id that the provider issued',
    min: 1,
    max: 200,
    check: visible,
    example: 'Iv1.0123456789abcdef',
    optional,
  });

const visible = (text: string): string | undefined => (text.trim() === '' ? 'visible' : undefined);
const AddressField = (what: string, example: string, max = MAX_ADDRESS): PropertyDecorator =>
  TextField({ ...TemplateOr(what, example), max });

/** The fields for creating and for changing a provider. */
abstract class LoginProviderFields {
  @TextField({
    description: 'Write-only. null, empty or omitted: keeps the stored secret',
    max: 8_000,
    optional: true,
    nullable: true,
    example: 'from-the-provider',
  })
  client_secret?: string | null;

  @AddressField('Authorization endpoint', 'https://github.com/login/oauth/authorize') authorize_url?: string | null;
  @AddressField('Token endpoint', 'https://github.com/login/oauth/access_token') token_url?: string | null;
  @TextField({
    description:
      "Userinfo endpoint. Omitted or empty: the template's value, or what discovery names. null: the template's value, or none if it has none: with template `oidc`, users are read from the ID token alone",
    max: MAX_ADDRESS,
    optional: true,
    nullable: true,
    example: 'https://api.github.com/user',
  })
  userinfo_url?: string | null;

  @AddressField('Issuer. With OpenID Connect the URL for discovery', 'https://github.com', MAX_ISSUER)
  issuer?: string | null;

  @TextListField({
    ...TemplateOr('Requested scopes', ['read:user', 'user:email']),
    max: 50,
    entry: { min: 1, max: 200 },
  })
  scopes?: string[] | null;

  @ObjectField({
    ...TemplateOr('Paths of the claims: dotted, alternatives separated by `|`, null for none', {
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

  @BooleanField(TemplateOr('Whether PKCE is used (RFC 7636)')) pkce?: boolean | null;

  @BooleanField({ description: 'Whether unknown users get an account automatically', optional: true })
  auto_register?: boolean;

  @BooleanField({
    description:
      'Whether an e-mail address verified by the provider logs in to the account with the same verified address',
    optional: true,
  })
  trust_email?: boolean;

  @BooleanField({ description: 'Whether users can log in with it', optional: true }) enabled?: boolean;

  @TextField({
    description: 'An https URL or a path',
    max: 500,
    check: (text) => (text === '' || isIcon(text) ? undefined : 'web_address'),
    example: '/icons/github.svg',
    optional: true,
    nullable: true,
  })
  icon?: string | null;

  @IntegerField({ description: 'Position in lists', min: -1_000_000, max: 1_000_000, optional: true, example: 10 })
  sort?: number;
}

export class CreateLoginProviderDto extends LoginProviderFields {
  @NameField(false) name: string;
  /** Default: the label of the template. */
  @LabelField(true) label?: string;
  @TextField({ description: 'One of GET /api/oauth/template. Cannot be changed later', max: 50, example: 'github' })
  template: string;
  @ClientIdField(false) client_id: string;

  @IdField({
    description:
      'The organization that the provider belongs to, with template `oidc` only. Users log in with an e-mail address of its verified domains. Cannot be changed later',
    optional: true,
  })
  organization_id?: string;
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
