import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TextField } from '../../../../platform/http/input';
import {
  CodeField,
  EmailField,
  NewPasswordField,
  PhoneField,
  TermsAcceptedField,
  UsernameField,
} from '../../../../users';
import { AttributesField } from '../../../../users/attributes';
import { ExternalProfileDto } from './callback.dto';

const TempTokenField = (): PropertyDecorator =>
  TextField({
    description: 'Omitted: the token from the cookie',
    max: 64,
    optional: true,
    nullable: true,
    example: 'as-it-came-with-the-callback',
  });

export class BindStartDto {
  @TextField({ description: 'Name of the provider', min: 1, max: 64, example: 'github' }) name: string;

  @TextField({
    description: 'Where the browser goes at the end: a path of this service, or a URL of an allowed origin',
    max: 2_000,
    optional: true,
    example: '/account',
  })
  redirect?: string;
}

@ApiSchema({ description: 'The URL of the provider to send the browser to' })
export class BindStartedDto {
  @ApiProperty({
    description: "The provider's URL, to send the browser to",
    format: 'uri',
    example: 'https://github.com/login/oauth/authorize?client_id=Iv1.0123456789abcdef',
  })
  redirect: string;
}

export class BindRegisterDto {
  @TempTokenField() temp_token?: string | null;
  @UsernameField() username: string;
  @NewPasswordField({ optional: true, nullable: true }) password?: string | null;
  @EmailField() email?: string | null;
  @PhoneField() phone?: string | null;
  @CodeField('e-mail') email_code?: string | null;
  @CodeField('phone') phone_code?: string | null;
  @TermsAcceptedField({ optional: true, nullable: true }) terms_accepted?: string | null;
  @AttributesField() attributes?: Record<string, unknown>;
}

/** The temp token as a property of the login body. */
export class BindLoginTokenDto {
  @TempTokenField() temp_token?: string | null;
}

@ApiSchema({ description: 'The provider and its profile of the user' })
export class BindOfferDto {
  @ApiProperty({ description: 'Name of the provider', example: 'github' }) provider: string;
  @ApiProperty({ example: 'GitHub' }) label: string;
  @ApiProperty({ type: ExternalProfileDto }) profile: ExternalProfileDto;
}
