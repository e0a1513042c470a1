import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { OAuthProviderInfoDto } from '../oauth';

class RegistrationInfoDto {
  @ApiProperty() enabled: boolean;
  @ApiProperty() email_code_required: boolean;
  @ApiProperty() phone_code_required: boolean;
}

class LoginMethodInfoDto {
  @ApiProperty({ example: 'password' }) type: string;
  @ApiProperty() enabled: boolean;
}

class VerificationInfoDto {
  @ApiProperty() enabled: boolean;
  @ApiProperty({ type: [String], example: ['email', 'sms'] }) channels: string[];
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
  @ApiProperty({ example: '#2f6fed' }) primary_color: string;
  @ApiProperty({ description: 'Address; empty: none', example: 'https://example.com/terms' }) terms: string;
  @ApiProperty({ description: 'Address; empty: none', example: 'https://example.com/privacy' }) privacy: string;
  @ApiProperty({ description: 'Address; empty: none', example: 'https://example.com/support' }) support: string;
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
    description:
      'Prefix of the cookie `<cookie_prefix>_lang`, in which a page keeps the language: path `/`, no domain, `Secure` ' +
      'over https. There the prefix starts with `__Host-`, as for all cookies without a session',
    example: '__Host-iam',
  })
  cookie_prefix: string;
}
