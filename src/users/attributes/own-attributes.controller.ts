import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowDuring, ApiController, Authenticated } from '../../platform/access';
import { attributeFieldDto, AttributeFieldListDto } from './dto/attribute.dto';
import { UserAttributesService } from './user-attributes.service';

@ApiTags('Own account')
@ApiController('auth/me/attribute')
export class OwnAttributesController {
  constructor(private readonly attributes: UserAttributesService) {}

  @Get()
  @Authenticated()
  @AllowDuring('attributes')
  @ApiOperation({
    summary: 'List the attributes of the own account',
    description: 'Their definitions, by position, then name. The values are in `GET /api/auth/me`.',
  })
  @ApiOkResponse({ type: AttributeFieldListDto })
  async list(): Promise<AttributeFieldListDto> {
    return { items: (await this.attributes.ofOwner()).map(attributeFieldDto) };
  }
}
