import { Body, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowWhileActing, ApiController, Authenticated, CurrentCaller } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { AssertionDto, RequestAssertionDto } from './dto/assertion.dto';
import { ServiceAssertionsService } from './service-assertions.service';

/** For pages that call other services. */
@ApiTags('Guards of other services')
@ApiController('auth')
export class AssertionsController {
  constructor(private readonly assertions: ServiceAssertionsService) {}

  @Post('assertion')
  @Authenticated()
  @AllowWhileActing()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Get an assertion of this session for another service',
    description:
      'A page sends it to the service instead of the cookies, as bearer token, for at most 60 seconds. The guard of that service accepts it until then or until the session ends. No route here accepts it, nor does another service.',
  })
  @ApiOkResponse({ type: AssertionDto })
  issue(@Body() body: RequestAssertionDto, @CurrentCaller() caller: Caller): Promise<AssertionDto> {
    return this.assertions.issue(caller, body);
  }
}
