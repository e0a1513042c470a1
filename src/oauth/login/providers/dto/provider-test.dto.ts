import { ApiProperty, ApiSchema } from '@nestjs/swagger';

export const testSteps = ['addresses', 'keys', 'credentials'] as const;
export type TestStep = (typeof testSteps)[number];
export const testOutcomes = ['passed', 'failed', 'unclear'] as const;
export type TestOutcome = (typeof testOutcomes)[number];

export class ProviderCheckDto {
  @ApiProperty({
    enum: testSteps,
    description:
      '`addresses`: the endpoints are known, with OpenID Connect from discovery. `keys`: the signing keys are available. ' +
      '`credentials`: client id and secret are accepted, judging by the error for an invalid code',
  })
  check: TestStep;

  @ApiProperty({ enum: testOutcomes, description: "`unclear`: the provider's response shows neither" })
  outcome: TestOutcome;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The reason, as in the log',
    example: 'discovery: unreachable',
  })
  reason: string | null;
}

@ApiSchema({ description: 'Whether the provider works, with the result of each check' })
export class ProviderTestDto {
  @ApiProperty({ description: 'Whether every check passed' }) ok: boolean;
  @ApiProperty({ type: [ProviderCheckDto], description: 'In order. Checks after a failed one are skipped' })
  checks: ProviderCheckDto[];
}
