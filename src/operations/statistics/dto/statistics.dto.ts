import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ChoiceField } from '../../../platform/http/input';
import type { StatisticsRange } from '../statistics-range';
import { statisticsRanges } from '../statistics-range';
import type { ActivityReport } from '../statistics.service';

export class StatisticsQueryDto {
  @ChoiceField({
    description: 'The last 24 hours per hour, or the last 7, 30 or 90 days per day (UTC). Default: `week`',
    options: statisticsRanges,
    optional: true,
  })
  range?: StatisticsRange;
}

class StatisticsStepDto {
  @ApiProperty({ format: 'date-time', description: 'The start of the step' }) at: string;
  @ApiProperty({ type: 'integer', example: 120 }) logins: number;
  @ApiProperty({ type: 'integer', example: 7 }) failed_logins: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'At the end of the step, or now. null if not counted',
    example: 480,
  })
  active_sessions: number | null;

  @ApiProperty({ type: 'integer', description: 'Messages that a provider accepted', example: 31 }) deliveries: number;
  @ApiProperty({ type: 'integer', description: 'Messages rejected, throttled, or of unknown outcome' })
  failed_deliveries: number;
}

@ApiSchema({ description: 'The counts per step, and the length of a step' })
export class StatisticsDto {
  @ApiProperty({ type: 'integer', description: 'Length of a step in seconds', example: 3600 }) step_seconds: number;
  @ApiProperty({ type: [StatisticsStepDto], description: 'Oldest first. The last step is not complete yet' })
  items: StatisticsStepDto[];
}

export function statisticsDto({ stepSeconds, steps }: ActivityReport): StatisticsDto {
  return {
    step_seconds: stepSeconds,
    items: steps.map((step) => ({
      at: step.at.toISOString(),
      logins: step.logins,
      failed_logins: step.failedLogins,
      active_sessions: step.activeSessions,
      deliveries: step.deliveries,
      failed_deliveries: step.failedDeliveries,
    })),
  };
}
