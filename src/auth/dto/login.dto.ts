import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, ChoiceField, TextField } from '../../platform/input';
import { SessionDto } from '../../session';
import { PasswordField } from '../../users';
import { UserInfoWithPermsDto } from './user.dto';

/** What every login body has beside its method's own credentials. */
export abstract class LoginDto {
  @BooleanField({ description: 'false: the cookies end with the browser. Default true', optional: true })
  remember?: boolean;
}

export class PasswordLoginDto extends LoginDto {
  @ChoiceField({ description: 'Kind of login', options: ['password'] })
  type: 'password';

  @TextField({
    description: 'A username in any case; with an `@` a verified e-mail, with a leading `+` a verified phone',
    min: 1,
    max: 254,
    example: 'ann',
  })
  username: string;

  @PasswordField()
  password: string;
}

export class LoggedInDto {
  @ApiProperty({ type: UserInfoWithPermsDto }) user: UserInfoWithPermsDto;
  @ApiProperty({ type: SessionDto }) session: SessionDto;
  @ApiProperty({ format: 'date-time' }) access_expires_at: string;
}
