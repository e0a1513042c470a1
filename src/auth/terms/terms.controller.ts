import { Body, HttpCode, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowDuring, ApiController, Authenticated, CurrentCaller } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { AcceptedTermsService } from './accepted-terms.service';
import { AcceptTermsDto } from '../account/dto/account.dto';

@ApiTags('Own account')
@ApiController('auth/me/terms')
export class TermsController {
  constructor(private readonly terms: AcceptedTermsService) {}

  @Post()
  @Authenticated()
  @AllowDuring('terms')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Accept the current terms',
    description:
      'Records the version and the time. With setting `register.terms_at_login`, other routes return 403 `terms_required` until then.',
  })
  @ApiNoContentResponse()
  async accept(@Body() body: AcceptTermsDto, @CurrentCaller() caller: Caller): Promise<void> {
    await this.terms.accept(caller, body.terms_accepted);
  }
}
