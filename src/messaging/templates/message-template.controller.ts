import { Body, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiController, RequirePermission } from '../../platform/access';
import { platformErrors } from '../../platform/errors';
import { ProblemResponses } from '../../platform/http/problems';
import {
  MessageTemplateDto,
  MessageTemplateHistoryDto,
  MessageTemplateListDto,
  RenderedMessageDto,
} from './dto/message-template.dto';
import {
  PreviewMessageTemplateDto,
  RollbackMessageTemplateDto,
  UpdateMessageTemplateDto,
} from './dto/message-template-input.dto';
import { MessageTemplateAdminService } from './message-template-admin.service';
import { MESSAGE_TEMPLATE, MessageTemplateParams } from './message-template-params';
import { messageTemplatePermissions } from './message-template.permissions';

@ApiTags('Message templates')
@ApiController('message-template')
export class MessageTemplateController {
  constructor(private readonly templates: MessageTemplateAdminService) {}

  @Get()
  @RequirePermission(messageTemplatePermissions.read)
  @ApiOperation({ summary: 'List the texts of messages', description: 'Ordered by channel, purpose and language.' })
  @ApiOkResponse({ type: MessageTemplateListDto })
  async list(): Promise<MessageTemplateListDto> {
    return { items: await this.templates.list() };
  }

  @Get(MESSAGE_TEMPLATE)
  @MessageTemplateParams()
  @RequirePermission(messageTemplatePermissions.read)
  @ApiOperation({ summary: 'Get the text of a message' })
  @ApiOkResponse({ type: MessageTemplateDto })
  @ProblemResponses(platformErrors.notFound)
  find(
    @Param('channel') channel: string,
    @Param('purpose') purpose: string,
    @Param('locale') locale: string,
  ): Promise<MessageTemplateDto> {
    return this.templates.find({ channel, purpose, locale });
  }

  @Put(MESSAGE_TEMPLATE)
  @MessageTemplateParams()
  @RequirePermission(messageTemplatePermissions.update)
  @ApiOperation({
    summary: 'Replace the text of a message',
    description:
      'Creates a new version, which applies within a second. A message with a code contains `{code}` on its own, so that ' +
      'no link includes it. HTML has placeholders only in text. A rollback to version 0 restores the default.',
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

  @Get(`${MESSAGE_TEMPLATE}/history`)
  @MessageTemplateParams()
  @RequirePermission(messageTemplatePermissions.read)
  @ApiOperation({ summary: 'List the changes of a text', description: 'Newest first, at most 200.' })
  @ApiOkResponse({ type: MessageTemplateHistoryDto })
  @ProblemResponses(platformErrors.notFound)
  async history(
    @Param('channel') channel: string,
    @Param('purpose') purpose: string,
    @Param('locale') locale: string,
  ): Promise<MessageTemplateHistoryDto> {
    return { items: await this.templates.history({ channel, purpose, locale }) };
  }

  @Post(`${MESSAGE_TEMPLATE}/rollback`)
  @MessageTemplateParams()
  @RequirePermission(messageTemplatePermissions.update)
  @HttpCode(200)
  @ApiOperation({ summary: 'Restore an earlier text, or the default', description: 'Creates a new version.' })
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

  @Post(`${MESSAGE_TEMPLATE}/preview`)
  @MessageTemplateParams()
  @RequirePermission(messageTemplatePermissions.update)
  @HttpCode(200)
  @ApiOperation({
    summary: 'Preview a message',
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
}
