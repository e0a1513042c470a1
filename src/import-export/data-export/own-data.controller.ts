import { Get, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { AllowDuring, ApiController, Authenticated, CurrentCaller, RequireRecentLogin } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { RequireKnownOrigin } from '../../platform/http';
import { ProblemResponses } from '../../platform/http/problems';
import { OwnDataExportService } from './own-data-export.service';

const JSON_TYPE = 'application/json';

@ApiTags('Own account')
@ApiController('auth/me/export')
export class OwnDataController {
  constructor(private readonly exports: OwnDataExportService) {}

  @Get()
  @RequireKnownOrigin()
  @Authenticated()
  // A user who does not accept the terms may take the data along.
  @AllowDuring('terms', 'attributes')
  @RequireRecentLogin()
  @ApiOperation({
    summary: 'Export the own data',
    description:
      'One JSON object with the profile, the contacts, the logins (third-party accounts, second factors and sessions, without secrets), connected applications, organizations, groups, roles, permissions and, as `activity`, the newest 10,000 acts. Audited.',
  })
  @ApiProduces(JSON_TYPE)
  @ApiOkResponse({
    schema: { type: 'object', additionalProperties: true },
    description: 'The data, as a file to download',
  })
  @ProblemResponses(platformErrors.csrfRejected, platformErrors.rateLimited)
  async export(@CurrentCaller() caller: Caller): Promise<StreamableFile> {
    const file = await this.exports.export(caller);
    return new StreamableFile(file, { type: JSON_TYPE, disposition: 'attachment; filename="my-data.json"' });
  }
}
