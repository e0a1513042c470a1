import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { auditPermissions } from '../../audit';
import { ApiController, RequirePermission } from '../../platform/access';
import { FailedLoginsDto, failedLoginsDto, OverviewDto, overviewDto } from './dto/overview.dto';
import { StatisticsDto, statisticsDto, StatisticsQueryDto } from './dto/statistics.dto';
import { FailedLoginsService } from './failed-logins.service';
import { OverviewService } from './overview.service';
import { statisticsPermissions } from './statistics.permissions';
import { StatisticsService } from './statistics.service';

@ApiTags('Statistics')
@ApiController('statistics')
export class StatisticsController {
  constructor(
    private readonly statistics: StatisticsService,
    private readonly overviews: OverviewService,
    private readonly failures: FailedLoginsService,
  ) {}

  @Get()
  @RequirePermission(statisticsPermissions.read)
  @ApiOperation({
    summary: 'Count logins, sessions and messages over time',
    description: 'At most 30 seconds old. Only counts, the audit names the users.',
  })
  @ApiOkResponse({ type: StatisticsDto })
  async show(@Query() { range = 'week' }: StatisticsQueryDto): Promise<StatisticsDto> {
    return statisticsDto(await this.statistics.read(range));
  }

  @Get('overview')
  @RequirePermission(statisticsPermissions.read)
  @ApiOperation({
    summary: 'Count accounts and logins, with the change to the period before',
    description:
      'Of the last 24 hours or the last 7, 30 or 90 days. Accounts are counted every ten minutes, logins are at most 30 seconds old.',
  })
  @ApiOkResponse({ type: OverviewDto })
  async overview(@Query() { range = 'week' }: StatisticsQueryDto): Promise<OverviewDto> {
    return overviewDto(await this.overviews.read(range));
  }

  @Get('failed-logins')
  @RequirePermission(auditPermissions.read)
  @ApiOperation({
    summary: 'Find the accounts and addresses with most failed logins',
    description: 'Among the newest 10,000 failures in the audit log of the period. At most 30 seconds old.',
  })
  @ApiOkResponse({ type: FailedLoginsDto })
  async failedLogins(@Query() { range = 'week' }: StatisticsQueryDto): Promise<FailedLoginsDto> {
    return failedLoginsDto(await this.failures.read(range));
  }
}
