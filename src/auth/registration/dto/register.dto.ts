import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TextField } from '../../../platform/http/input';
import {
  CodeField,
  EmailField,
  NewPasswordField,
  NicknameField,
  PhoneField,
  TermsAcceptedField,
  UsernameField,
} from '../../../users';
import { AttributesField } from '../../../users/attributes';
import { UserInfoWithPermsDto } from '../../account/dto/user.dto';

export class RegisterDto {
  @UsernameField() username: string;
  @NewPasswordField() password: string;
  @EmailField() email?: string | null;
  @PhoneField() phone?: string | null;
  @NicknameField() nickname?: string | null;
  @CodeField('e-mail') email_code?: string | null;
  @CodeField('phone') phone_code?: string | null;
  @TermsAcceptedField({ optional: true, nullable: true }) terms_accepted?: string | null;

  @AttributesField() attributes?: Record<string, unknown>;

  @TextField({
    description:
      'The token of an invitation: the new user is a member of its organization, and has the invited contact, verified. ' +
      'No code is needed, and registration may be closed',
    max: 200,
    optional: true,
    example: 'Zq0T0bq8jX3v5m1yK6wP2cR7nL4hD9sF0gA8eU5iO1t',
  })
  invitation_token?: string;
}

@ApiSchema({ description: 'The new account, without a session' })
export class RegisteredDto {
  @ApiProperty({ type: UserInfoWithPermsDto }) user: UserInfoWithPermsDto;
}
