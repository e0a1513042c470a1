import { Body, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiController, CurrentCaller, RequirePermission, Authenticated } from '../platform/access';
import type { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { ProblemResponses } from '../platform/http/problems';
import { SettingDto, SettingHistoryDto, SettingListDto } from './dto/setting.dto';
import {
  RollbackSettingDto,
  SettingQueryDto,
  UpdateSettingsDto,
  UpdateSettingsQueryDto,
} from './dto/setting-input.dto';
import { SettingCatalogueService } from './setting-catalogue.service';
import { SettingUpdatesService } from './setting-updates.service';
import { settingsErrors } from './settings.errors';
import { settingPermissions } from './settings.permissions';

@ApiTags('Settings')
@ApiController('setting')
export class SettingsController {
  constructor(
    private readonly catalogue: SettingCatalogueService,
    private readonly updates: SettingUpdatesService,
  ) {}

  @Get()
  @Authenticated()
  @ApiOperation({
    summary: 'List the settings',
    description: 'Sorted by category, then key. Settings that are not public need `setting:read`.',
  })
  @ApiOkResponse({ type: SettingListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: SettingQueryDto): Promise<SettingListDto> {
    return { items: await this.catalogue.list(caller.userId, query.category) };
  }

  @Put()
  @RequirePermission(settingPermissions.update)
  @ApiOperation({
    summary: 'Change settings, all or none',
    description:
      'Returns the named settings in the given order. Sensitive settings also need a recent login. Settings that give access to sessions, permissions or codes of other users need every permission (`*:*` at level 7 in every scope), also in a dry run; without it the key fails with `escalation_denied`.',
  })
  @ApiOkResponse({ type: SettingListDto })
  @ProblemResponses(settingsErrors.settingsUpdateFailed, platformErrors.reauthenticationRequired)
  async update(@Query() query: UpdateSettingsQueryDto, @Body() body: UpdateSettingsDto): Promise<SettingListDto> {
    const changed = await this.updates.update(body.updates, { reason: body.reason, dryRun: query.dry_run });
    return { items: changed.map((setting) => this.catalogue.toDto(setting)) };
  }

  @Get(':key/history')
  @RequirePermission(settingPermissions.read)
  @ApiOperation({ summary: 'List the changes of a setting', description: 'Newest first, the last 200.' })
  @ApiOkResponse({ type: SettingHistoryDto })
  @ProblemResponses(platformErrors.notFound)
  async history(@Param('key') key: string): Promise<SettingHistoryDto> {
    const { setting, changes } = await this.updates.history(key);
    return { items: changes.map((change) => this.catalogue.showChange(setting, change)) };
  }

  @Post(':key/rollback')
  @RequirePermission(settingPermissions.update)
  @HttpCode(200)
  @ApiOperation({
    summary: 'Restore an earlier value of a setting',
    description: 'Stored as a new version. Needs the same authority as a change of the setting.',
  })
  @ApiOkResponse({ type: SettingDto })
  @ProblemResponses(
    platformErrors.notFound,
    settingsErrors.settingsUpdateFailed,
    platformErrors.reauthenticationRequired,
  )
  async rollback(@Param('key') key: string, @Body() body: RollbackSettingDto): Promise<SettingDto> {
    return this.catalogue.toDto(await this.updates.rollback(key, body.version));
  }
}
