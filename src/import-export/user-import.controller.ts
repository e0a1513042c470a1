import { Body, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { authErrors } from '../auth';
import { accessErrors, ApiController, CurrentCaller, RequirePermission } from '../platform/access';
import type { Caller } from '../platform/context';
import { BodyLimit, LARGE_BODY_BYTES } from '../platform/http';
import { ProblemResponses } from '../platform/http/problems';
import { userPermissions } from '../rbac';
import { CsvImportService } from './csv-import.service';
import { ImportUsersDto, ImportUsersQueryDto, UserImportDto, userImportDto } from './dto/user-import.dto';

@ApiTags('User administration')
@ApiController('user/import')
@RequirePermission(userPermissions.administer)
export class UserImportController {
  constructor(private readonly imports: CsvImportService) {}

  @Post()
  @HttpCode(200)
  @BodyLimit(LARGE_BODY_BYTES)
  @ApiOperation({
    summary: 'Import users from CSV',
    description:
      'Creates accounts without passwords and with the default role, in one transaction. It never changes an account: users ' +
      'that exist are reported. A repeated import creates only what is new. To create accounts, the caller must hold the ' +
      'permissions of the default role. Roles of the file that do not exist, or that the caller may not give, are left out.',
  })
  @ApiOkResponse({ type: UserImportDto })
  @ProblemResponses(accessErrors.escalationDenied, authErrors.defaultRoleUnavailable)
  async run(
    @Body() body: ImportUsersDto,
    @Query() query: ImportUsersQueryDto,
    @CurrentCaller() caller: Caller,
  ): Promise<UserImportDto> {
    const isDryRun = query.dry_run ?? false;
    return userImportDto(await this.imports.run(caller, body.csv, isDryRun), isDryRun);
  }
}
