import { ApiProperty, ApiSchema } from '@nestjs/swagger';

export const testSteps = ['addresses', 'keys', 'credentials'] as const;
export type TestStep = (typeof testSteps)[number];
export const testOutcomes = ['passed', 'failed', 'unclear'] as const;
export type TestOutcome = (typeof testOutcomes)[number];

export class ProviderCheckDto {
  @ApiProperty({
    enum: testSteps,
    description:
      '`addresses`: they are known, with OpenID Connect by discovery; `keys`: those that sign are there; `credentials`: ' +
      'client id and secret are taken, by how a code that nobody gave is refused',
  })
  check: TestStep;

  @ApiProperty({ enum: testOutcomes, description: "`unclear`: the provider's answer says neither" })
  outcome: TestOutcome;

  @ApiProperty({ type: String, nullable: true, description: 'As the log has it', example: 'discovery: unreachable' })
  reason: string | null;
}

@ApiSchema({ description: 'Whether the provider works, check by check' })
export class ProviderTestDto {
  @ApiProperty({ description: 'Whether every check passed' }) ok: boolean;
  @ApiProperty({ type: [ProviderCheckDto], description: 'In order; what comes after one that failed is not tried' })
  checks: ProviderCheckDto[];
}
