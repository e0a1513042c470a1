import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { PENDING_DUTIES } from '../../../platform/access';
import { BooleanField, IdField, TextField, TextListField, WholeExample } from '../../../platform/http/input';

/** As many as a browser's cookies of one name count here. */
const MAX_TOKENS = 4;
const MAX_TOKEN_LENGTH = 2_048;
export const MAX_CHECKED_PERMISSIONS = 500;
const MAX_CODE = 152;

@WholeExample({ tokens: ['<access token>'], permissions: ['invoice:read'] }, 'Either tokens or an assertion')
export class CheckSessionDto {
  @TextListField({
    description:
      'The access tokens of the request: every value of the access cookie, or the bearer token. Never a refresh token',
    min: 1,
    max: MAX_TOKENS,
    entry: { min: 1, max: MAX_TOKEN_LENGTH },
    optional: true,
    example: ['<access token>'],
  })
  tokens?: string[];

  @TextField({
    description: 'Instead of tokens: the assertion for this service that the request has as bearer token',
    min: 1,
    max: MAX_TOKEN_LENGTH,
    optional: true,
  })
  assertion?: string;

  @BooleanField({
    description: 'Whether the service limits users who act as another. Otherwise their sessions count as ended',
    optional: true,
  })
  acting?: boolean;

  @IdField({
    description: 'The organization that the request names: what the user holds there counts, too',
    optional: true,
  })
  organization_id?: string;

  @TextListField({
    description: "The permissions that the service's routes require, in the scope of the service",
    max: MAX_CHECKED_PERMISSIONS,
    entry: { min: 1, max: MAX_CODE },
    example: ['invoice:read'],
  })
  permissions: string[];
}

class CheckedUserDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'ann' }) username: string;
  @ApiProperty({ type: String, nullable: true, description: 'null: not chosen', example: 'en' }) locale: string | null;
}

class CheckedSessionDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ type: [String], description: 'Authentication method references (RFC 8176)', example: ['pwd'] })
  amr: readonly string[];
  @ApiProperty({ description: 'The identity was proved within `session.recent_login_seconds`' }) recent_login: boolean;
  @ApiProperty({ description: 'As `recent_login`, for a second factor' }) recent_second_factor: boolean;
}

class CheckedActorDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'sam' }) username: string;
  @ApiProperty({ format: 'uuid', description: 'The own session of the actor' }) session_id: string;
}

class SecondFactorDto {
  @ApiProperty({ description: 'Second factors are not turned off' }) offered: boolean;
  @ApiProperty({ description: 'The user has one' }) enrolled: boolean;
}

/** The user in an organization. */
export class CheckedOrganizationDto {
  @ApiProperty({ description: 'The user is a member' }) member: boolean;
  @ApiProperty({ description: 'The header of a request of the user may name it' }) open: boolean;
  @ApiProperty({ description: 'The organization accepts the way in which the session began' }) login_accepted: boolean;
  @ApiProperty({ description: 'The user must set up a second factor before acting there' }) enrolment_due: boolean;
}

@ApiSchema({ description: 'Whose session the tokens belong to, and which of the permissions the user holds' })
export class SessionCheckDto {
  @ApiProperty({ description: 'Whether the tokens belong to a live session of an active user' }) active: boolean;

  @ApiPropertyOptional({
    description: 'Why not; absent when `active`',
    enum: ['unauthenticated', 'token_expired', 'session_revoked'],
  })
  code?: string;

  @ApiPropertyOptional({ type: CheckedUserDto }) user?: CheckedUserDto;
  @ApiPropertyOptional({ type: CheckedSessionDto }) session?: CheckedSessionDto;
  @ApiPropertyOptional({
    type: CheckedActorDto,
    description: 'The user who acts as the user of the session; absent for an ordinary session',
  })
  actor?: CheckedActorDto;

  @ApiPropertyOptional({ type: SecondFactorDto }) second_factor?: SecondFactorDto;

  @ApiPropertyOptional({
    description: 'A duty that the user must do at Castellan first; null: none',
    enum: PENDING_DUTIES,
    type: String,
    nullable: true,
  })
  pending?: string | null;

  @ApiPropertyOptional({
    type: CheckedOrganizationDto,
    description: 'The organization of the check; absent if it names none',
  })
  organization?: CheckedOrganizationDto;

  @ApiPropertyOptional({
    type: [String],
    description: 'Those of the request that the user holds, in the organization too, as written there',
    example: ['invoice:read'],
  })
  permissions?: string[];

  @ApiPropertyOptional({
    type: [String],
    description: 'The names of session and user on the stream of changes',
    example: ['Q0hBTkdFRA'],
  })
  subjects?: string[];

  @ApiPropertyOptional({ type: 'integer', description: 'Until the token expires', example: 840 })
  expires_in?: number;
}
