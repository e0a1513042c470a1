import { Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiController, Public } from '../../platform/access';
import { InfoDto } from './info.dto';
import { InfoService } from './info.service';

@ApiTags('Service')
@ApiController('info')
export class InfoController {
  constructor(private readonly info: InfoService) {}

  @Get()
  @Public()
  // The time that a setting change may take to reach all instances.
  @Header('cache-control', 'public, max-age=1')
  @ApiOperation({ summary: 'Get what a login page needs' })
  @ApiOkResponse({ type: InfoDto })
  describe(): Promise<InfoDto> {
    return this.info.describe();
  }
}
