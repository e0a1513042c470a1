import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiController, RequirePermission } from '../../platform/access';
import { CursorAnswer } from '../../platform/lists';
import { DeliveriesService } from './deliveries.service';
import { deliveryPermissions } from './delivery.permissions';
import { DeliveryDto, DeliveryListDto, DeliveryQueryDto } from './dto/delivery.dto';

@ApiTags('Messages')
@ApiController('delivery')
export class DeliveryController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get()
  @RequirePermission(deliveryPermissions.read)
  @ApiOperation({
    summary: 'List sent messages and their outcome',
    description: 'Newest first. Recipients are masked, and contents are not stored.',
  })
  @ApiOkResponse({ type: DeliveryListDto })
  list(@Query() query: DeliveryQueryDto): Promise<CursorAnswer<DeliveryDto>> {
    return this.deliveries.list(query);
  }
}
