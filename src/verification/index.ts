export * from './codes';
export { Delivery, Mailer, MailSetup, messageRoute, Messenger, SmsSender } from './delivery';
export type { Mail, MailSight, SendResult, TextMessage } from './delivery';
export * from './message';
export * from './notices';
export { MessageTemplateVersion } from './templates';
export * from './verification.module';
