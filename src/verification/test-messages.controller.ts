import { Body, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { MESSAGE_TEMPLATE, MessageTemplateParams, messageTemplatePermissions } from '../messaging';
import { ApiController, RequirePermission } from '../platform/access';
import { contextOf } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { ProblemResponses } from '../platform/http/problems';
import { codeErrors } from './codes.errors';
import { TestMessageDto, TestMessageTemplateDto } from './test-message.dto';
import { TestMessagesService } from './test-messages.service';

@ApiTags('Message templates')
@ApiController('message-template')
export class TestMessagesController {
  constructor(private readonly messages: TestMessagesService) {}

  @Post(`${MESSAGE_TEMPLATE}/test`)
  @MessageTemplateParams()
  @RequirePermission(messageTemplatePermissions.update)
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send a sample of a message',
    description:
      'Sends the current template with sample values, never with a real code. Counts towards the limits of codes per client and channel. The list of deliveries shows the outcome.',
  })
  @ApiAcceptedResponse({ type: TestMessageDto })
  @ProblemResponses(
    platformErrors.notFound,
    platformErrors.rateLimited,
    codeErrors.verificationDisabled,
    codeErrors.deliveryFailed,
  )
  async send(
    @Param('channel') channel: string,
    @Param('purpose') purpose: string,
    @Param('locale') locale: string,
    @Body() body: TestMessageTemplateDto,
    @Req() request: FastifyRequest,
  ): Promise<TestMessageDto> {
    return { outcome: await this.messages.send({ channel, purpose, locale }, body.target, contextOf(request)) };
  }
}
