import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { CodeField, EmailField, NewPasswordField, NicknameField, PhoneField, UsernameField } from '../../users';
import { UserInfoWithPermsDto } from './user.dto';

export class RegisterDto {
  @UsernameField() username: string;
  @NewPasswordField() password: string;
  @EmailField() email?: string | null;
  @PhoneField() phone?: string | null;
  @NicknameField() nickname?: string | null;
  @CodeField('e-mail') email_code?: string | null;
  @CodeField('phone') phone_code?: string | null;
}

@ApiSchema({ description: 'The new account, without a session' })
export class RegisteredDto {
  @ApiProperty({ type: UserInfoWithPermsDto }) user: UserInfoWithPermsDto;
}
