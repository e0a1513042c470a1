import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { contactRequirements, registrationFirstFields } from '../../auth';
import { OAuthProviderInfoDto } from '../../oauth';
import { AttributeFieldDto } from '../../users/attributes';

class RegistrationInfoDto {
  @ApiProperty() enabled: boolean;
  @ApiProperty() email_code_required: boolean;
  @ApiProperty() phone_code_required: boolean;
  @ApiProperty({
    description: 'The contacts that a registration must name. `either`: at least one of them',
    enum: contactRequirements,
  })
  contact_required: string;
  @ApiProperty({ description: 'Whether a registration needs `terms_accepted`' }) terms_required: boolean;
  @ApiProperty({ description: 'The current version of the terms; empty: none', example: '2026-01' })
  terms_version: string;
  @ApiProperty({ description: 'What a login page asks a new user for first', enum: registrationFirstFields })
  first_field: string;
  @ApiProperty({ type: [AttributeFieldDto], description: 'What a registration must give beside the fixed fields' })
  attributes: AttributeFieldDto[];
}

class LoginMethodInfoDto {
  @ApiProperty({ example: 'password' }) type: string;
  @ApiProperty() enabled: boolean;
}

class VerificationInfoDto {
  @ApiProperty() enabled: boolean;
  @ApiProperty({ type: [String], example: ['email', 'sms'] }) channels: string[];
  @ApiProperty({
    type: [String],
    description: 'Channels whose messages are not sent, but only shown at `/dev/inbox`. Empty in production',
    example: [],
  })
  inbox: string[];
}

class PasswordInfoDto {
  @ApiProperty({ type: 'integer', example: 8 }) min_length: number;
  @ApiProperty({ type: 'integer', example: 256 }) max_length: number;
}

class MfaInfoDto {
  @ApiProperty({
    type: 'integer',
    description: 'How long a browser may be trusted, in days. 0: not at all',
    example: 30,
  })
  trusted_device_days: number;
}

class AccountInfoDto {
  @ApiProperty({
    type: 'integer',
    description:
      'How long a user who asked for the deletion of the account may keep it after all, in days. 0: not at all',
    example: 0,
  })
  deletion_grace_days: number;
}

class BrandingDto {
  @ApiProperty({ description: 'Address; empty: none', example: 'https://example.com/logo.svg' }) logo: string;
  @ApiProperty({ description: 'Replaces the logo in dark mode; empty: none', example: 'https://example.com/dark.svg' })
  logo_dark: string;
  @ApiProperty({ description: 'Address; empty: none', example: 'https://example.com/icon.svg' }) favicon: string;
  @ApiProperty({ example: '#2f6fed' }) primary_color: string;
  @ApiProperty({ type: 'integer', description: 'Of fields and buttons, in CSS pixels', example: 8 })
  corner_radius: number;
  @ApiProperty({ description: 'A CSS font family', example: 'system-ui' }) font: string;
  @ApiProperty({ description: 'Behind a login page; empty: that of the page', example: '#f3f4f7' })
  background_color: string;
  @ApiProperty({ description: 'Address; empty: none', example: 'https://example.com/sea.jpg' })
  background_image: string;
  @ApiProperty({ description: 'Address of the custom CSS; empty: none', example: '' }) stylesheet: string;
  @ApiProperty({ description: 'Address; empty: none', example: 'https://example.com/terms' }) terms: string;
  @ApiProperty({ description: 'Address; empty: none', example: 'https://example.com/privacy' }) privacy: string;
  @ApiProperty({ description: 'Address; empty: none', example: 'https://example.com/support' }) support: string;
}

@ApiSchema({ description: 'What an organization shows beside the name and the links of the service. Empty: nothing' })
class OrganizationInfoDto {
  @ApiProperty({ example: 'Acme Portal' }) name: string;
  @ApiProperty({ example: 'https://acme.example.com/terms' }) terms: string;
  @ApiProperty({ example: 'https://acme.example.com/privacy' }) privacy: string;
  @ApiProperty({ example: 'https://acme.example.com/support' }) support: string;
}

/** What a login page needs before a login. */
@ApiSchema({ description: 'What a login page shows: name, login methods, registration rules' })
export class InfoDto {
  @ApiProperty({ example: 'Castellan' }) name: string;
  @ApiProperty({ example: '1.0.0' }) version: string;
  @ApiProperty({ description: "The service's own scope", example: 'iam' }) scope: string;
  @ApiProperty({ type: [String], example: ['en', 'zh'] }) locales: string[];
  @ApiProperty({ type: RegistrationInfoDto }) registration: RegistrationInfoDto;
  @ApiProperty({ type: [LoginMethodInfoDto] }) login_methods: LoginMethodInfoDto[];
  @ApiProperty({ type: [OAuthProviderInfoDto] }) oauth_providers: OAuthProviderInfoDto[];
  @ApiProperty({
    description: 'Whether a login page asks for the identifier first, for `POST /api/auth/identify`',
  })
  identifier_first: boolean;
  @ApiProperty({ type: VerificationInfoDto }) verification: VerificationInfoDto;
  @ApiProperty({ type: PasswordInfoDto }) password: PasswordInfoDto;
  @ApiProperty({ type: MfaInfoDto }) mfa: MfaInfoDto;
  @ApiProperty({ type: AccountInfoDto }) account: AccountInfoDto;
  @ApiProperty({ type: BrandingDto }) branding: BrandingDto;
  @ApiProperty({
    type: OrganizationInfoDto,
    nullable: true,
    description: 'On pages of the login at an application of an organization; null on others',
  })
  organization: OrganizationInfoDto | null;
  @ApiProperty({
    description:
      'Prefix of the cookie `<cookie_prefix>_lang`, in which a page keeps the language: path `/`, no domain, `Secure` ' +
      'over https. There the prefix starts with `__Host-`, as for all cookies without a session',
    example: '__Host-iam',
  })
  cookie_prefix: string;
}
