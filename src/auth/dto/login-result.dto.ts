import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { secondFactorMethods } from '../../mfa';
import type { SecondFactorMethod } from '../../mfa';
import { SessionDto } from '../../session';
import { UserInfoWithPermsDto } from '../account/dto/user.dto';

@ApiSchema({ description: 'The account and its new session; the tokens are in the cookies' })
export class LoggedInDto {
  @ApiProperty({ type: UserInfoWithPermsDto }) user: UserInfoWithPermsDto;
  @ApiProperty({ type: SessionDto }) session: SessionDto;
  @ApiProperty({ format: 'date-time' }) access_expires_at: string;
}

/** The first factor was correct. `POST /api/auth/login/mfa` expects the second. */
@ApiSchema({ description: 'A second factor is required: its methods, and the token for the next step' })
export class MfaRequiredDto {
  @ApiProperty({ enum: [true] }) mfa_required: true;

  @ApiProperty({
    description: 'Valid for five minutes, five attempts and one login, only in this browser',
    example: 'as-it-came-with-the-login',
  })
  mfa_token: string;

  @ApiProperty({ enum: secondFactorMethods, isArray: true }) methods: SecondFactorMethod[];
}
