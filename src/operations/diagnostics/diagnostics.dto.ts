import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TextField } from '../../platform/http/input';

export class DiagnosticsQueryDto {
  @TextField({
    description:
      "The origin in the browser's address bar (`location.origin`), to compare with the origin that the service sees",
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
  @ApiProperty({ description: 'The address at the other end of the connection', example: '10.0.0.2' }) peer: string;
}

class CookieFlagsDto {
  @ApiProperty({ example: 'iam' }) prefix: string;
  @ApiProperty({ example: '/' }) path: string;
  @ApiProperty({ description: 'Empty: only the host', example: '' }) domain: string;
  @ApiProperty({ enum: ['lax', 'strict', 'none'] }) same_site: string;
  @ApiProperty() secure: boolean;
  @ApiProperty() http_only: boolean;
}

class RedirectUriDto {
  @ApiProperty({ description: 'Name of the login provider', example: 'github' }) provider: string;
  @ApiProperty({
    description: 'The redirect URI to register with the provider',
    example: 'https://id.example.com/api/oauth/callback/github',
  })
  uri: string;
}

class CheckDto {
  @ApiProperty({ enum: ['origin', 'proxy', 'https', 'keys', 'administrator', 'clock', 'redis', 'mail', 'pkce'] })
  check: string;
  @ApiProperty({ enum: ['ok', 'warning', 'error'] }) state: string;
  @ApiProperty({ description: 'The subject of the check', example: 'Proxy' }) title: string;
  @ApiProperty({
    description: 'The finding, and what to do about it',
    example: 'The proxy at 10.0.0.2 is trusted, and its headers are read.',
  })
  detail: string;
}

@ApiSchema({ description: 'How the request arrived, what results from it, and the findings of the checks' })
export class DiagnosticsDto {
  @ApiProperty({ type: SeenDto, nullable: true, description: 'How this request arrived; null on the command line' })
  seen: SeenDto | null;

  @ApiProperty({ type: CookieFlagsDto, description: 'The attributes of session cookies' }) cookies: CookieFlagsDto;
  @ApiProperty({ description: 'The OpenID Connect issuer', example: 'https://id.example.com' }) issuer: string;

  @ApiProperty({ type: [RedirectUriDto], description: 'One for each enabled login provider' })
  redirect_uris: RedirectUriDto[];

  @ApiProperty({ type: [CheckDto] }) checks: CheckDto[];
}
