import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { Failing } from '../failed-logins.repository';
import type { FailedLogins } from '../failed-logins.service';
import type { Overview } from '../overview.service';

class FigureDto {
  @ApiProperty({ type: 'integer', nullable: true, description: 'null: not counted yet', example: 120 })
  value: number | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The same for the period before, or at its end; null: not counted then',
    example: 100,
  })
  before: number | null;
}

class MethodLoginsDto {
  @ApiProperty({ description: 'Type of the login method', example: 'password' }) method: string;
  @ApiProperty({ type: 'integer', example: 90 }) logins: number;
}

@ApiSchema({ description: 'The numbers of the period and of the one before it' })
export class OverviewDto {
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the accounts were counted: every ten minutes; null: not yet',
  })
  counted_at: string | null;

  @ApiProperty({ type: FigureDto, description: 'All accounts' }) users: FigureDto;
  @ApiProperty({ type: FigureDto, description: 'Accounts created in the period' }) new_users: FigureDto;
  @ApiProperty({ type: FigureDto, description: 'Users who logged in during the period' }) active_users: FigureDto;
  @ApiProperty({ type: FigureDto, description: 'Users with an authenticator app or a passkey' })
  second_factor_users: FigureDto;
  @ApiProperty({ type: FigureDto }) logins: FigureDto;
  @ApiProperty({ type: FigureDto }) failed_logins: FigureDto;
  @ApiProperty({ type: [MethodLoginsDto], description: 'Logins of the period by method, most first' })
  methods: MethodLoginsDto[];
}

class FailingAccountDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'ann' }) username: string;
  @ApiProperty({ type: 'integer', example: 12 }) failures: number;
}

class FailingAddressDto {
  @ApiProperty({ example: '203.0.113.7' }) ip: string;
  @ApiProperty({ type: 'integer', example: 40 }) failures: number;
}

@ApiSchema({ description: 'Where logins fail most' })
export class FailedLoginsDto {
  @ApiProperty({ type: [FailingAccountDto], description: 'Ten at most, most failures first' })
  accounts: FailingAccountDto[];
  @ApiProperty({ type: [FailingAddressDto], description: 'Ten at most, most failures first' })
  addresses: FailingAddressDto[];
  @ApiProperty({
    type: 'integer',
    description: 'How many failed logins were found among the newest 10,000 failures',
    example: 52,
  })
  examined: number;
  @ApiProperty({ description: 'Whether the period has older failures, which were not examined' }) is_partial: boolean;
}

export function overviewDto(overview: Overview): OverviewDto {
  return {
    counted_at: overview.countedAt?.toISOString() ?? null,
    users: overview.users,
    new_users: overview.newUsers,
    active_users: overview.activeUsers,
    second_factor_users: overview.secondFactorUsers,
    logins: overview.logins,
    failed_logins: overview.failedLogins,
    methods: [...overview.methods],
  };
}

export function failedLoginsDto({ accounts, addresses, examined, isPartial }: FailedLogins): FailedLoginsDto {
  return {
    accounts: accounts.map(({ id, name, failures }: Failing) => ({ id, username: name, failures })),
    addresses: addresses.map(({ id, failures }: Failing) => ({ ip: id, failures })),
    examined,
    is_partial: isPartial,
  };
}
