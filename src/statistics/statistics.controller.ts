import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiController, RequirePermission } from '../platform/access';
import { StatisticsDto, statisticsDto, StatisticsQueryDto } from './dto/statistics.dto';
import { statisticsPermissions } from './statistics.permissions';
import { StatisticsService } from './statistics.service';

@ApiTags('Statistics')
@ApiController('statistics')
export class StatisticsController {
  constructor(private readonly statistics: StatisticsService) {}

  @Get()
  @RequirePermission(statisticsPermissions.read)
  @ApiOperation({
    summary: 'Count logins, sessions and messages over time',
    description: 'At most 30 seconds old. Only counts, the audit names the users.',
  })
  @ApiOkResponse({ type: StatisticsDto })
  async show(@Query() { range = 'week' }: StatisticsQueryDto): Promise<StatisticsDto> {
    return statisticsDto(await this.statistics.of(range));
  }
}
