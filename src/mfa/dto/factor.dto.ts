import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { DeviceDto } from '../../session';
import { Factor } from '../factors.service';
import { Passkey, TrustedDevice } from '../mfa.entities';

export class FactorDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ enum: ['totp', 'passkey', 'recovery'], example: 'recovery' }) type: string;
  @ApiProperty({ description: 'Name of a passkey; otherwise empty', example: 'My phone' }) name: string;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) last_used_at: string | null;
  @ApiPropertyOptional({ type: 'integer', description: 'Number of unused recovery codes', example: 8 })
  remaining?: number;
}

@ApiSchema({ description: 'The second factors, and whether one is required' })
export class FactorListDto {
  @ApiProperty({ type: [FactorDto], description: 'Apps, passkeys by age, then recovery codes' }) items: FactorDto[];
  @ApiProperty({ description: 'Whether the account must have a second factor' }) required: boolean;
}

@ApiSchema({ description: 'The secret for the authenticator app, as text and as the URL for a QR code' })
export class TotpEnrolmentDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'Base32; shown only once', example: 'JBSWY3DPEHPK3PXP' }) secret: string;
  @ApiProperty({
    description: 'The same as a URL, to show as a QR code',
    example: 'otpauth://totp/Castellan:ann?secret=JBSWY3DPEHPK3PXP&issuer=Castellan',
  })
  otpauth_url: string;
}

@ApiSchema({ description: 'The new recovery codes; shown only once' })
export class RecoveryCodesDto {
  @ApiProperty({
    type: [String],
    description: 'Ten codes, each valid once; shown only once',
    example: ['one-of-the-ten', 'another-of-them'],
  })
  recovery_codes: string[];
}

@ApiSchema({ description: 'The passkey, without its key' })
export class PasskeyDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'My phone' }) name: string;
  @ApiProperty({ format: 'uuid', description: "The authenticator's model; zeros when it is not revealed" })
  aaguid: string;
  @ApiProperty({ description: 'Whether it is backed up' }) backed_up: boolean;
  @ApiProperty({ type: [String], example: ['internal'] }) transports: string[];
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) last_used_at: string | null;
}

export class TrustedDeviceDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'Address at the time of trust', example: '203.0.113.7' }) ip: string;
  @ApiProperty({ example: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' })
  user_agent: string;
  @ApiProperty({ type: DeviceDto }) device: DeviceDto;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) last_used_at: string | null;
}

@ApiSchema({ description: 'The trusted browsers, each with its device' })
export class TrustedDeviceListDto {
  @ApiProperty({ type: [TrustedDeviceDto], description: 'Newest first, 100 at most' }) items: TrustedDeviceDto[];
}

function timesOf({ createdAt, lastUsedAt }: Pick<Factor, 'createdAt' | 'lastUsedAt'>): {
  created_at: string;
  last_used_at: string | null;
} {
  return { created_at: createdAt.toISOString(), last_used_at: lastUsedAt?.toISOString() ?? null };
}

export function factorDto({ id, type, name, remaining, ...times }: Factor): FactorDto {
  return { id, type, name, ...timesOf(times), ...(remaining !== undefined && { remaining }) };
}

export function passkeyDto({ id, name, aaguid, isBackedUp, transports, ...times }: Passkey): PasskeyDto {
  return { id, name, aaguid, backed_up: isBackedUp, transports, ...timesOf(times) };
}

export function trustedDeviceDto({ id, ip, userAgent, device, ...times }: TrustedDevice): TrustedDeviceDto {
  return { id, ip, user_agent: userAgent, device, ...timesOf(times) };
}
