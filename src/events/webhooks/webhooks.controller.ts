import { Body, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { eventPermissions } from '../feed';
import { ApiController, CurrentCaller, RequirePermission, RequireRecentLogin } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { IdPipe } from '../../platform/http/input';
import { ProblemResponses } from '../../platform/http/problems';
import {
  ChangeWebhookDto,
  CreatedWebhookDto,
  CreateWebhookDto,
  ReplayWebhookDto,
  RotateWebhookSecretDto,
  WebhookDto,
  WebhookListDto,
  WebhookSecretDto,
} from './dto/webhook.dto';
import { webhookErrors } from './webhook.errors';
import { webhookPermissions } from './webhook.permissions';
import { WebhooksService } from './webhooks.service';

@ApiTags('Webhooks')
@ApiController('webhook')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @RequirePermission(webhookPermissions.read)
  @ApiOperation({ summary: 'List the webhooks', description: 'By name.' })
  @ApiOkResponse({ type: WebhookListDto })
  async list(): Promise<WebhookListDto> {
    return { items: await this.webhooks.list() };
  }

  @Post()
  @RequirePermission(webhookPermissions.create, eventPermissions.read)
  @RequireRecentLogin()
  @ApiOperation({
    summary: 'Create a webhook',
    description:
      'It receives events from now on, at least once, and in order for each subject. The secret is shown once. The format `caep` needs `user:admin`, too, because its tokens name what users hold. The caller is notified when the webhook is disabled after failures.',
  })
  @ApiCreatedResponse({ type: CreatedWebhookDto })
  async create(@Body() body: CreateWebhookDto, @CurrentCaller() caller: Caller): Promise<CreatedWebhookDto> {
    const { webhook, secret } = await this.webhooks.create(caller, body);
    return Object.assign(webhook, { secret });
  }

  @Get(':id')
  @RequirePermission(webhookPermissions.read)
  @ApiOperation({ summary: 'Show a webhook' })
  @ApiOkResponse({ type: WebhookDto })
  @ProblemResponses(platformErrors.notFound)
  show(@Param('id', IdPipe) id: string): Promise<WebhookDto> {
    return this.webhooks.find(id);
  }

  @Patch(':id')
  @RequirePermission(webhookPermissions.update)
  @ApiOperation({
    summary: 'Change a webhook',
    description:
      'All but a new name needs `event:read`, too, and for the format `caep` `user:admin`; another URL a recent login; another origin the values of the headers again. `events_expired`: events that it has not received were deleted while it was disabled; choose where it continues with `replay`, then enable it.',
  })
  @ApiOkResponse({ type: WebhookDto })
  @ProblemResponses(platformErrors.notFound, platformErrors.reauthenticationRequired, webhookErrors.eventsExpired)
  change(
    @Param('id', IdPipe) id: string,
    @Body() body: ChangeWebhookDto,
    @CurrentCaller() caller: Caller,
  ): Promise<WebhookDto> {
    return this.webhooks.change(caller, id, body);
  }

  @Delete(':id')
  @RequirePermission(webhookPermissions.delete)
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a webhook', description: 'Also deletes its deliveries.' })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound)
  delete(@Param('id', IdPipe) id: string): Promise<void> {
    return this.webhooks.delete(id);
  }

  @Post(':id/secret')
  @RequirePermission(webhookPermissions.update, eventPermissions.read)
  @RequireRecentLogin()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Rotate the secret of a webhook',
    description: 'The secret is shown once. During the overlap, each delivery carries the signatures of both secrets.',
  })
  @ApiOkResponse({ type: WebhookSecretDto })
  @ProblemResponses(platformErrors.notFound)
  async rotateSecret(@Param('id', IdPipe) id: string, @Body() body: RotateWebhookSecretDto): Promise<WebhookSecretDto> {
    return { secret: await this.webhooks.rotateSecret(id, body.overlap_seconds ?? 0) };
  }

  @Post(':id/replay')
  @RequirePermission(webhookPermissions.update, eventPermissions.read)
  @RequireRecentLogin()
  @HttpCode(202)
  @ApiOperation({
    summary: 'Deliver past events again',
    description:
      'The webhook reads the events from the given time on, with their former ids, and then continues with later ones.',
  })
  @ApiAcceptedResponse({ description: 'The deliveries follow. The response has no body' })
  @ProblemResponses(platformErrors.notFound)
  replay(@Param('id', IdPipe) id: string, @Body() body: ReplayWebhookDto): Promise<void> {
    return this.webhooks.replay(id, new Date(body.from));
  }
}
