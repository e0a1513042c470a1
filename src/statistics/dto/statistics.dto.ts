import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ChoiceField } from '../../platform/input';
import type { ActivityReport, StatisticsRange } from '../statistics.service';
import { statisticsRanges } from '../statistics.service';

export class StatisticsQueryDto {
  @ChoiceField({
    description: 'The last 24 hours by the hour; or the last 7, 30 or 90 days by the day (UTC). Default `week`',
    options: statisticsRanges,
    optional: true,
  })
  range?: StatisticsRange;
}

class StatisticsStepDto {
  @ApiProperty({ format: 'date-time', description: 'Its beginning' }) at: string;
  @ApiProperty({ type: 'integer', example: 120 }) logins: number;
  @ApiProperty({ type: 'integer', example: 7 }) failed_logins: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'At its end, or now; null where nobody counted',
    example: 480,
  })
  active_sessions: number | null;

  @ApiProperty({ type: 'integer', description: 'Messages that a provider accepted', example: 31 }) deliveries: number;
  @ApiProperty({ type: 'integer', description: 'Messages rejected, throttled, or of unknown outcome' })
  failed_deliveries: number;
}

@ApiSchema({ description: 'The numbers, step by step, and how long a step is' })
export class StatisticsDto {
  @ApiProperty({ type: 'integer', description: 'Length of a step', example: 3600 }) step_seconds: number;
  @ApiProperty({ type: [StatisticsStepDto], description: 'Oldest first; the last is not over yet' })
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
