import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { secondFactorMethods } from '../../mfa';
import type { SecondFactorMethod } from '../../mfa';
import { SessionDto } from '../../session';
import { UserInfoWithPermsDto } from './user.dto';

@ApiSchema({ description: 'The account and its new session; the tokens are in the cookies' })
export class LoggedInDto {
  @ApiProperty({ type: UserInfoWithPermsDto }) user: UserInfoWithPermsDto;
  @ApiProperty({ type: SessionDto }) session: SessionDto;
  @ApiProperty({ format: 'date-time' }) access_expires_at: string;
}

/** The first factor was right; `POST /api/auth/login/mfa` takes the second. */
@ApiSchema({ description: 'A second factor is due: what proves it, and the token for that step' })
export class MfaRequiredDto {
  @ApiProperty({ enum: [true] }) mfa_required: true;

  @ApiProperty({
    description: 'Good for five minutes, five tries and one login, in this browser only',
    example: 'as-it-came-with-the-login',
  })
  mfa_token: string;

  @ApiProperty({ enum: secondFactorMethods, isArray: true }) methods: SecondFactorMethod[];
}
