import { TextField } from '../../platform/http/input';

export class RefreshDto {
  @TextField({
    description: 'The refresh token, for clients without cookies; absent, null or empty: the cookie',
    max: 2_048,
    optional: true,
    nullable: true,
    example: 'the-value-of-the-refresh-cookie',
  })
  refresh_token?: string | null;
}
