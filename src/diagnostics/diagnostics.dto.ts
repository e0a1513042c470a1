import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TextField } from '../platform/input';

export class DiagnosticsQueryDto {
  @TextField({
    description: "What the browser's address bar shows, as `location.origin` says it; to be compared",
    max: 300,
    optional: true,
    example: 'https://id.example.com',
  })
  browser_origin?: string;
}

class SeenDto {
  @ApiProperty({ example: 'https://id.example.com' }) origin: string;
  @ApiProperty({ example: 'https' }) scheme: string;
  @ApiProperty({ description: '`PUBLIC_URL`, the header, or `connection`', example: 'x-forwarded-proto' })
  scheme_from: string;

  @ApiProperty({ example: 'id.example.com' }) host: string;
  @ApiProperty({ type: 'integer', example: 443 }) port: number;
  @ApiProperty({ description: '`PUBLIC_URL`, or the header', example: 'x-forwarded-host' }) host_from: string;
  @ApiProperty({ example: '203.0.113.7' }) client_ip: string;
  @ApiProperty({ description: 'The header, or `connection`', example: 'x-forwarded-for' }) client_ip_from: string;
  @ApiProperty({ description: 'Who holds the other end of the connection', example: '10.0.0.2' }) peer: string;
}

class CookieFlagsDto {
  @ApiProperty({ example: 'iam' }) prefix: string;
  @ApiProperty({ example: '/' }) path: string;
  @ApiProperty({ description: 'Empty: the host alone', example: '' }) domain: string;
  @ApiProperty({ enum: ['lax', 'strict', 'none'] }) same_site: string;
  @ApiProperty() secure: boolean;
  @ApiProperty() http_only: boolean;
}

class RedirectUriDto {
  @ApiProperty({ description: 'Name of the login provider', example: 'github' }) provider: string;
  @ApiProperty({ description: 'What to register there', example: 'https://id.example.com/api/oauth/callback/github' })
  uri: string;
}

class CheckDto {
  @ApiProperty({ enum: ['origin', 'proxy', 'https', 'keys', 'clock', 'redis', 'mail', 'pkce'] }) check: string;
  @ApiProperty({ enum: ['ok', 'warning', 'error'] }) state: string;
  @ApiProperty({ description: 'What was looked at', example: 'Proxy' }) title: string;
  @ApiProperty({
    description: 'What was found, and what to do',
    example: 'The proxy at 10.0.0.2 is trusted, and its headers are read.',
  })
  detail: string;
}

@ApiSchema({ description: 'How the request arrived, what follows from it, and what does not fit' })
export class DiagnosticsDto {
  @ApiProperty({ type: SeenDto, nullable: true, description: 'How this request arrived; null on the command line' })
  seen: SeenDto | null;

  @ApiProperty({ type: CookieFlagsDto, description: 'What session cookies are given' }) cookies: CookieFlagsDto;
  @ApiProperty({ description: 'Of OpenID Connect', example: 'https://id.example.com' }) issuer: string;

  @ApiProperty({ type: [RedirectUriDto], description: 'Of each enabled login provider' })
  redirect_uris: RedirectUriDto[];

  @ApiProperty({ type: [CheckDto] }) checks: CheckDto[];
}
