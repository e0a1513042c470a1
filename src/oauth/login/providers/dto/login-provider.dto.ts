import { ApiProperty, ApiSchema } from '@nestjs/swagger';

const ADDRESS = { type: String, nullable: true } as const;

export class ClaimMappingDto {
  @ApiProperty({ example: 'sub' }) subject: string;
  @ApiProperty({ ...ADDRESS, example: 'email' }) email: string | null;
  @ApiProperty({ ...ADDRESS, example: 'email_verified' }) email_verified: string | null;
  @ApiProperty({ ...ADDRESS, example: 'phone_number' }) phone: string | null;
  @ApiProperty({ ...ADDRESS, example: 'name|login' }) nickname: string | null;
  @ApiProperty({ ...ADDRESS, example: 'avatar_url' }) avatar: string | null;
}

class ProviderAddressesDto {
  @ApiProperty({ ...ADDRESS, description: 'null: from discovery', example: 'https://github.com/login/oauth/authorize' })
  authorize_url: string | null;
  @ApiProperty({
    ...ADDRESS,
    description: 'null: from discovery',
    example: 'https://github.com/login/oauth/access_token',
  })
  token_url: string | null;
  @ApiProperty({
    ...ADDRESS,
    description: 'null: from discovery, or not needed',
    example: 'https://api.github.com/user',
  })
  userinfo_url: string | null;
  @ApiProperty({ ...ADDRESS, description: 'null: not OpenID Connect', example: 'https://accounts.google.com' })
  issuer: string | null;
  @ApiProperty({ type: [String], example: ['read:user', 'user:email'] }) scopes: string[];
  @ApiProperty({ type: ClaimMappingDto }) mapping: ClaimMappingDto;
  @ApiProperty({ description: 'Whether PKCE is used (RFC 7636)' }) pkce: boolean;
}

@ApiSchema({ description: 'The login provider, without its secret' })
export class LoginProviderDto extends ProviderAddressesDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'github' }) name: string;
  @ApiProperty({ example: 'GitHub' }) label: string;
  @ApiProperty({ example: 'github' }) template: string;
  @ApiProperty({ example: 'Iv1.0123456789abcdef' }) client_id: string;
  @ApiProperty({ description: 'Whether a secret is stored. The secret is never shown' }) client_secret_set: boolean;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: "The template's own fields",
    example: { team_id: 'A1B2C3D4E5' },
  })
  params: Record<string, string>;

  @ApiProperty({ description: 'Whether `userinfo_url` was set to null: users are read from the ID token alone' })
  without_userinfo: boolean;

  @ApiProperty() auto_register: boolean;
  @ApiProperty() trust_email: boolean;
  @ApiProperty() enabled: boolean;
  @ApiProperty({ type: String, nullable: true, example: '/icons/github.svg' }) icon: string | null;
  @ApiProperty({ type: 'integer' }) sort: number;
  @ApiProperty({
    format: 'uuid',
    required: false,
    description: 'Only for the provider of an organization. Limits it to e-mail addresses of its verified domains',
  })
  organization_id?: string;
  @ApiProperty({
    description: 'The redirect URI to register with the provider',
    example: 'https://id.example.com/api/oauth/callback/github',
  })
  callback_url: string;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
}

@ApiSchema({ description: 'The login providers, without their secrets' })
export class LoginProviderListDto {
  @ApiProperty({ type: [LoginProviderDto], description: 'Ordered by `sort`, then name. At most 100' })
  items: LoginProviderDto[];
}

export class TemplateFieldDto {
  @ApiProperty({ example: 'params.team_id', description: 'Name of the field in the request that creates a provider' })
  name: string;
  @ApiProperty({ description: "In the caller's language", example: 'Team ID' }) label: string;
  @ApiProperty({
    description: "Where to find it, in the caller's language",
    example: 'Shown in the upper right corner of the developer account.',
  })
  help: string;
  @ApiProperty() required: boolean;
  @ApiProperty({ description: 'Whether the value is never shown again' }) secret: boolean;
  @ApiProperty({ type: String, nullable: true, description: 'Default value', example: 'common' })
  default_value: string | null;
}

export class ProviderTemplateDto extends ProviderAddressesDto {
  @ApiProperty({ example: 'github' }) template: string;
  @ApiProperty({ example: 'GitHub' }) label: string;
  @ApiProperty({
    description: "What to do at the provider, in the caller's language",
    example: 'Register an OAuth app in the developer settings.',
  })
  help: string;
  @ApiProperty({ description: 'Whether the callback is a form POST' }) form_post: boolean;

  @ApiProperty({ description: 'Whether the provider verifies e-mail addresses, which `trust_email` requires' })
  vouches_for_email: boolean;

  @ApiProperty({ type: [TemplateFieldDto], description: 'The fields that the operator fills in' })
  fields: TemplateFieldDto[];
}

@ApiSchema({ description: 'The kinds of login provider, each with the fields to fill in' })
export class ProviderTemplateListDto {
  @ApiProperty({ type: [ProviderTemplateDto] }) items: ProviderTemplateDto[];
}
