import { applyDecorators } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { languages } from '../../platform/i18n';
import { messageChannels, messagePurposes } from '../message/message';

/** The path of one template, below `message-template`. */
export const MESSAGE_TEMPLATE = ':channel/:purpose/:locale';

/** Documents the parameters of `MESSAGE_TEMPLATE`. */
export const MessageTemplateParams = (): MethodDecorator =>
  applyDecorators(
    ApiParam({ name: 'channel', enum: messageChannels }),
    ApiParam({ name: 'purpose', enum: messagePurposes }),
    ApiParam({ name: 'locale', enum: languages }),
  );
