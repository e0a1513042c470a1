import { Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiController, Public } from '../platform/access';
import { InfoDto } from './info.dto';
import { InfoService } from './info.service';

@ApiTags('Service')
@ApiController('info')
export class InfoController {
  constructor(private readonly info: InfoService) {}

  @Get()
  @Public()
  // As long as a change of a setting may take to bind elsewhere.
  @Header('cache-control', 'public, max-age=1')
  @ApiOperation({ summary: 'What a login page must know' })
  @ApiOkResponse({ type: InfoDto })
  describe(): Promise<InfoDto> {
    return this.info.describe();
  }
}
