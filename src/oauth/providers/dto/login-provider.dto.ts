import { ApiProperty } from '@nestjs/swagger';

const ADDRESS = { type: String, nullable: true } as const;

export class ClaimMappingDto {
  @ApiProperty({ example: 'sub' }) subject: string;
  @ApiProperty(ADDRESS) email: string | null;
  @ApiProperty(ADDRESS) email_verified: string | null;
  @ApiProperty(ADDRESS) phone: string | null;
  @ApiProperty(ADDRESS) nickname: string | null;
  @ApiProperty(ADDRESS) avatar: string | null;
}

class ProviderAddressesDto {
  @ApiProperty({ ...ADDRESS, description: 'null: by discovery' }) authorize_url: string | null;
  @ApiProperty({ ...ADDRESS, description: 'null: by discovery' }) token_url: string | null;
  @ApiProperty({ ...ADDRESS, description: 'null: by discovery, or not needed' }) userinfo_url: string | null;
  @ApiProperty(ADDRESS) issuer: string | null;
  @ApiProperty({ type: [String] }) scopes: string[];
  @ApiProperty({ type: ClaimMappingDto }) mapping: ClaimMappingDto;
  @ApiProperty({ description: 'Whether the code is bound to a verifier (RFC 7636)' }) pkce: boolean;
}

export class LoginProviderDto extends ProviderAddressesDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'github' }) name: string;
  @ApiProperty() label: string;
  @ApiProperty({ example: 'github' }) template: string;
  @ApiProperty() client_id: string;
  @ApiProperty({ description: 'Whether there is one; it is never shown' }) client_secret_set: boolean;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, description: "The template's own fields" })
  params: Record<string, string>;

  @ApiProperty() auto_register: boolean;
  @ApiProperty() trust_email: boolean;
  @ApiProperty() enabled: boolean;
  @ApiProperty({ type: String, nullable: true }) icon: string | null;
  @ApiProperty({ type: 'integer' }) sort: number;
  @ApiProperty({ description: 'To be registered with the provider' }) callback_url: string;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
}

export class LoginProviderListDto {
  @ApiProperty({ type: [LoginProviderDto], description: 'By `sort`, then name; a hundred at most' })
  items: LoginProviderDto[];
}

export class TemplateFieldDto {
  @ApiProperty({ example: 'params.team_id', description: 'As the field is named when a provider is made' })
  name: string;
  @ApiProperty({ description: "In the caller's language" }) label: string;
  @ApiProperty({ description: "Where to find it, in the caller's language" }) help: string;
  @ApiProperty() required: boolean;
  @ApiProperty({ description: 'Whether it is never shown again' }) secret: boolean;
  @ApiProperty({ type: String, nullable: true, description: 'What takes the place of nothing' })
  default_value: string | null;
}

export class ProviderTemplateDto extends ProviderAddressesDto {
  @ApiProperty({ example: 'github' }) template: string;
  @ApiProperty() label: string;
  @ApiProperty({ description: "What to do at the provider, in the caller's language" }) help: string;
  @ApiProperty({ description: 'Whether the callback comes as a form POST' }) form_post: boolean;

  @ApiProperty({ description: 'Whether its word that an e-mail is verified can count; `trust_email` needs it' })
  vouches_for_email: boolean;

  @ApiProperty({ type: [TemplateFieldDto], description: 'What an operator fills in' }) fields: TemplateFieldDto[];
}

export class ProviderTemplateListDto {
  @ApiProperty({ type: [ProviderTemplateDto] }) items: ProviderTemplateDto[];
}
