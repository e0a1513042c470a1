import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TextField } from '../../../platform/http/input';

const MAX_AUDIENCE = 100;

export class RequestAssertionDto {
  @TextField({
    description: 'The resource of the service that the assertion is for',
    min: 1,
    max: MAX_AUDIENCE,
    example: 'urn:castellan:billing',
  })
  audience: string;
}

@ApiSchema({ description: 'An assertion of the session for one other service' })
export class AssertionDto {
  @ApiProperty({
    description:
      'A JWT with `iss`, `aud`, `sub` (the user), `sid` (the session), `iat`, `exp` and `jti`. Send it to the service as bearer token',
    example: '<assertion>',
  })
  assertion: string;

  @ApiProperty({ type: 'integer', description: 'Seconds until it expires', example: 60 }) expires_in: number;
}
