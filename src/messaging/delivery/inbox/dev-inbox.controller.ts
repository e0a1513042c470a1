import { Get, Header, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public, ServiceController } from '../../../platform/access';
import { contextOf } from '../../../platform/context';
import { platformErrors } from '../../../platform/errors';
import { prefersJson } from '../../../platform/http';
import { TranslatorService } from '../../../platform/i18n';
import { DevInboxService, InboxMessage } from './dev-inbox.service';
import { INBOX_POLICY, INBOX_STYLE, inboxPage } from './inbox-page';
import { isLocalCaller } from './local-caller';

interface InboxList {
  readonly items: readonly InboxMessage[];
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Shows unsent messages to the developer on this machine. Does not exist in production. */
@ApiExcludeController()
@ServiceController('dev')
export class DevInboxController {
  constructor(
    private readonly inbox: DevInboxService,
    private readonly translator: TranslatorService,
  ) {}

  @Get('inbox')
  @Public()
  show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): string | InboxList {
    const list = this.list(request);
    if (prefersJson(request.headers.accept)) return list;
    void reply.header('content-type', 'text/html; charset=utf-8').header('content-security-policy', INBOX_POLICY);
    return inboxPage(list.items, contextOf(request).language, this.translator);
  }

  @Get('inbox.json')
  @Public()
  @Header('content-type', JSON_TYPE)
  list(@Req() request: FastifyRequest): InboxList {
    if (!this.inbox.isOffered || !isLocalCaller(request.raw.socket.remoteAddress, request.headers)) {
      throw platformErrors.notFound();
    }
    return { items: this.inbox.messages() };
  }

  @Get('inbox.css')
  @Public()
  style(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): string {
    this.list(request);
    void reply.header('content-type', 'text/css; charset=utf-8');
    return INBOX_STYLE;
  }
}
