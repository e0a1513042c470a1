export {
  allowedPrefixes,
  Mailer,
  MailSetupService,
  messageRoute,
  MessengerService,
  PhonePrefixAllowlistService,
  SmsSender,
  type Mail,
  type MailStatus,
  type SendResult,
  type TextMessage,
} from './delivery';
export * from './message';
export * from './messaging.module';
export * from './notices';
export {
  MESSAGE_TEMPLATE,
  MessageTemplateParams,
  messageTemplatePermissions,
  SampleMessagesService,
  type TemplateAddress,
} from './templates';
