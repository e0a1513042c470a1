import { applyDecorators, Body, Get, HttpCode, Param, Post, Put, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiController, RequirePermission } from '../../platform/access';
import { contextOf } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { languages } from '../../platform/i18n';
import { ProblemResponses } from '../../platform/problems';
import {
  MessageTemplateDto,
  MessageTemplateHistoryDto,
  MessageTemplateListDto,
  RenderedMessageDto,
  TestMessageDto,
} from './dto/message-template.dto';
import {
  PreviewMessageTemplateDto,
  RollbackMessageTemplateDto,
  TestMessageTemplateDto,
  UpdateMessageTemplateDto,
} from './dto/message-template-input.dto';
import { MessageTemplateAdministration } from './message-template-administration';
import { codePurposes, messageChannels, noticePurposes } from '../message';
import { codeErrors } from '../codes/codes.errors';
import { messageTemplatePermissions } from './message-template.permissions';
import { TemplateTests } from './template-tests';

const ONE = ':channel/:purpose/:locale';

const OfOneTemplate = (): MethodDecorator =>
  applyDecorators(
    ApiParam({ name: 'channel', enum: messageChannels }),
    ApiParam({ name: 'purpose', enum: [...codePurposes, ...noticePurposes] }),
    ApiParam({ name: 'locale', enum: languages }),
  );

@ApiTags('Message templates')
@ApiController('message-template')
export class MessageTemplateController {
  constructor(
    private readonly templates: MessageTemplateAdministration,
    private readonly tests: TemplateTests,
  ) {}

  @Get()
  @RequirePermission(messageTemplatePermissions.read)
  @ApiOperation({ summary: 'List the texts of messages', description: 'By channel, purpose and language.' })
  @ApiOkResponse({ type: MessageTemplateListDto })
  async list(): Promise<MessageTemplateListDto> {
    return { items: await this.templates.list() };
  }

  @Get(ONE)
  @OfOneTemplate()
  @RequirePermission(messageTemplatePermissions.read)
  @ApiOperation({ summary: 'See the text of a message' })
  @ApiOkResponse({ type: MessageTemplateDto })
  @ProblemResponses(platformErrors.notFound)
  find(
    @Param('channel') channel: string,
    @Param('purpose') purpose: string,
    @Param('locale') locale: string,
  ): Promise<MessageTemplateDto> {
    return this.templates.find({ channel, purpose, locale });
  }

  @Put(ONE)
  @OfOneTemplate()
  @RequirePermission(messageTemplatePermissions.update)
  @ApiOperation({
    summary: 'Replace the text of a message',
    description:
      'As a new version, in force within a second. The text of a code names `{code}`, free-standing, so that no link takes ' +
      'it along; the HTML of a mail has values in its text only. Roll-back to version 0 restores the default.',
  })
  @ApiOkResponse({ type: MessageTemplateDto })
  @ProblemResponses(platformErrors.notFound, platformErrors.versionConflict)
  update(
    @Param('channel') channel: string,
    @Param('purpose') purpose: string,
    @Param('locale') locale: string,
    @Body() body: UpdateMessageTemplateDto,
  ): Promise<MessageTemplateDto> {
    return this.templates.update({ channel, purpose, locale }, body);
  }

  @Get(`${ONE}/history`)
  @OfOneTemplate()
  @RequirePermission(messageTemplatePermissions.read)
  @ApiOperation({ summary: 'List the changes of a text', description: 'Newest first, the last 200.' })
  @ApiOkResponse({ type: MessageTemplateHistoryDto })
  @ProblemResponses(platformErrors.notFound)
  async history(
    @Param('channel') channel: string,
    @Param('purpose') purpose: string,
    @Param('locale') locale: string,
  ): Promise<MessageTemplateHistoryDto> {
    return { items: await this.templates.history({ channel, purpose, locale }) };
  }

  @Post(`${ONE}/rollback`)
  @OfOneTemplate()
  @RequirePermission(messageTemplatePermissions.update)
  @HttpCode(200)
  @ApiOperation({ summary: 'Restore an earlier text, or the default', description: 'As a new version.' })
  @ApiOkResponse({ type: MessageTemplateDto })
  @ProblemResponses(platformErrors.notFound)
  rollback(
    @Param('channel') channel: string,
    @Param('purpose') purpose: string,
    @Param('locale') locale: string,
    @Body() body: RollbackMessageTemplateDto,
  ): Promise<MessageTemplateDto> {
    return this.templates.rollback({ channel, purpose, locale }, body.version);
  }

  @Post(`${ONE}/preview`)
  @OfOneTemplate()
  @RequirePermission(messageTemplatePermissions.update)
  @HttpCode(200)
  @ApiOperation({
    summary: 'See a message as it would be sent',
    description: 'With sample values; sends and keeps nothing. What is left out is as it is in force.',
  })
  @ApiOkResponse({ type: RenderedMessageDto })
  @ProblemResponses(platformErrors.notFound)
  preview(
    @Param('channel') channel: string,
    @Param('purpose') purpose: string,
    @Param('locale') locale: string,
    @Body() body: PreviewMessageTemplateDto,
  ): Promise<RenderedMessageDto> {
    return this.templates.preview({ channel, purpose, locale }, body);
  }

  @Post(`${ONE}/test`)
  @OfOneTemplate()
  @RequirePermission(messageTemplatePermissions.update)
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send a sample of a message',
    description:
      'As it is in force, with sample values and never a real code; it counts towards the limits of codes for a client and a channel. What became of it is listed in deliveries.',
  })
  @ApiAcceptedResponse({ type: TestMessageDto })
  @ProblemResponses(
    platformErrors.notFound,
    platformErrors.rateLimited,
    codeErrors.verificationDisabled,
    codeErrors.deliveryFailed,
  )
  async test(
    @Param('channel') channel: string,
    @Param('purpose') purpose: string,
    @Param('locale') locale: string,
    @Body() body: TestMessageTemplateDto,
    @Req() request: FastifyRequest,
  ): Promise<TestMessageDto> {
    return { outcome: await this.tests.send({ channel, purpose, locale }, body.target, contextOf(request)) };
  }
}
