import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { actorOf } from '../cached-session';
import { SessionSummary } from '../session.repository';

export class DeviceDto {
  @ApiProperty({ example: 'Firefox on Linux' }) name: string;
  @ApiProperty({ example: 'Linux' }) os: string;
  @ApiProperty({ example: 'Firefox' }) browser: string;
  @ApiProperty({ enum: ['desktop', 'mobile', 'tablet', 'tv', 'bot', 'unknown'] }) type: string;
}

export class SessionActorDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'At the start', example: 'sam' }) username: string;
}

export class SessionDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'Whether it is the session of this request' }) current: boolean;
  @ApiProperty({ description: 'Of an acting session: `act_as`', example: 'password' }) login_method: string;
  @ApiProperty({ description: 'Address of the login or the last refresh', example: '203.0.113.7' }) ip: string;
  @ApiProperty({ example: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' })
  user_agent: string;
  @ApiProperty({ type: DeviceDto }) device: DeviceDto;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) last_seen_at: string;
  @ApiProperty({ format: 'date-time', description: 'The earlier of idle and absolute expiry' }) expires_at: string;
  @ApiPropertyOptional({
    type: SessionActorDto,
    description: 'The user who acts as this one in the session; absent from sessions that the user has opened',
  })
  actor?: SessionActorDto;
}

@ApiSchema({ description: 'The active sessions, each with its device' })
export class SessionListDto {
  @ApiProperty({ type: [SessionDto] }) items: SessionDto[];
}

@ApiSchema({ description: 'The number of revoked sessions' })
export class RevokedDto {
  @ApiProperty({ type: 'integer', description: 'The number of revoked sessions', example: 2 }) revoked: number;
}

@ApiSchema({ description: 'The session and the expiry of its new access token; the tokens are in the cookies' })
export class RefreshedDto {
  @ApiProperty({ type: SessionDto }) session: SessionDto;
  @ApiProperty({ format: 'date-time' }) access_expires_at: string;
}

export function sessionDto(session: SessionSummary, currentId: string): SessionDto {
  const actor = actorOf(session);
  return {
    id: session.id,
    current: session.id === currentId,
    login_method: session.loginMethod,
    ip: session.ip,
    user_agent: session.userAgent,
    device: session.device,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    ...(actor && { actor: { id: actor.userId, username: actor.username } }),
  };
}
