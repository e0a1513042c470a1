export {
  allowedPrefixes,
  Mailer,
  MailSetupService,
  messageRoute,
  MessengerService,
  PhonePrefixAllowlistService,
  SampleMessagesService,
  SmsSender,
  type Mail,
  type MailStatus,
  type SendResult,
  type TextMessage,
} from './delivery';
export * from './message/message';
export * from './messaging.module';
export * from './notices';
export { MESSAGE_TEMPLATE, MessageTemplateParams, messageTemplatePermissions, type TemplateAddress } from './templates';
