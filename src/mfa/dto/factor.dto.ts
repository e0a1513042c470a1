import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DeviceDto } from '../../session';
import { Factor } from '../factors.service';
import { Passkey, TrustedDevice } from '../mfa.entities';

export class FactorDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ enum: ['totp', 'passkey', 'recovery'] }) type: string;
  @ApiProperty({ description: 'Given to passkeys; otherwise empty' }) name: string;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) last_used_at: string | null;
  @ApiPropertyOptional({ type: 'integer', description: 'Recovery codes that are left' }) remaining?: number;
}

export class FactorListDto {
  @ApiProperty({ type: [FactorDto], description: 'Apps, passkeys by age, recovery codes' }) items: FactorDto[];
  @ApiProperty({ description: 'Whether the account must have a second factor' }) required: boolean;
}

export class TotpEnrolmentDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'Base32; shown now and never again' }) secret: string;
  @ApiProperty({ description: 'The same for authenticator apps, to be shown as a QR code' }) otpauth_url: string;
}

export class RecoveryCodesDto {
  @ApiProperty({ type: [String], description: 'Ten, each good once; shown now and never again' })
  recovery_codes: string[];
}

export class PasskeyDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty() name: string;
  @ApiProperty({ format: 'uuid', description: "The authenticator's model; zeros where it does not tell" })
  aaguid: string;
  @ApiProperty({ description: 'It is kept in more than one place' }) backed_up: boolean;
  @ApiProperty({ type: [String] }) transports: string[];
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) last_used_at: string | null;
}

export class TrustedDeviceDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'Address it was trusted from' }) ip: string;
  @ApiProperty() user_agent: string;
  @ApiProperty({ type: DeviceDto }) device: DeviceDto;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) last_used_at: string | null;
}

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
