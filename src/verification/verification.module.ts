import { DynamicModule, Module, Provider, Type } from '@nestjs/common';
import { CodeChannels, CodeProofs, CodePurposes, Codes, CodeTargets, ServedNumbers } from './codes';
import { CodeBudget } from './codes/code-budget';
import { CodeCleaner } from './codes/code-cleaner';
import { CodeDigest } from './codes/code-digest';
import { CodeTargetRepository } from './codes/code-target.repository';
import { CodeRepository } from './codes/code.repository';
import { CodesController } from './codes/codes.controller';
import { CodesGuard } from './codes/codes.guard';
import {
  AliyunGateway,
  ConfiguredMailer,
  ConfiguredSmsSender,
  Deliveries,
  DeliveryController,
  DeliveryLimits,
  DeliveryRepository,
  DeliveryRetention,
  DeliverySettingsCheck,
  MessageRouteCheck,
  DevInbox,
  DevInboxController,
  HttpHookGateway,
  Mailer,
  MailSetup,
  Messenger,
  SmsGateways,
  SmsSender,
  TencentGateway,
  TwilioGateway,
} from './delivery';
import {
  DefaultTemplates,
  MessageTemplateAdministration,
  MessageTemplateController,
  MessageTemplateRepository,
  MessageTemplates,
  StoredTemplates,
  TemplateTests,
} from './templates';
import { Notices } from './notices';

interface Part {
  readonly controllers: Type[];
  readonly providers: Provider[];
  /** What other modules may ask for. */
  readonly shared: Provider[];
}

const codes: Part = {
  controllers: [CodesController],
  providers: [CodeTargetRepository, CodeRepository, CodeDigest, CodeBudget, ServedNumbers, CodeCleaner, CodesGuard],
  shared: [CodeChannels, CodePurposes, CodeTargets, Codes, CodeProofs],
};

const delivery: Part = {
  controllers: [DeliveryController, DevInboxController],
  providers: [
    DevInbox,
    DeliveryLimits,
    DeliveryRepository,
    Deliveries,
    DeliveryRetention,
    DeliverySettingsCheck,
    MessageRouteCheck,
    AliyunGateway,
    TencentGateway,
    TwilioGateway,
    HttpHookGateway,
    SmsGateways,
  ],
  shared: [Messenger, MailSetup],
};

const templates: Part = {
  controllers: [MessageTemplateController],
  providers: [
    DefaultTemplates,
    MessageTemplateRepository,
    StoredTemplates,
    MessageTemplateAdministration,
    TemplateTests,
  ],
  shared: [MessageTemplates],
};

const notices: Part = { controllers: [], providers: [Notices], shared: [] };

const parts = [codes, delivery, templates, notices];

/** Ways to send that a host puts in the place of ours. */
export interface MessageExtensions {
  readonly mailer?: Type<Mailer> | undefined;
  readonly smsSender?: Type<SmsSender> | undefined;
}

const channels = ({ mailer, smsSender }: MessageExtensions): Provider[] => [
  { provide: Mailer, useClass: mailer ?? ConfiguredMailer },
  { provide: SmsSender, useClass: smsSender ?? ConfiguredSmsSender },
];

/** Codes that prove a contact, and the messages that carry them. */
@Module({})
export class VerificationModule {
  static register(extensions: MessageExtensions, ...imports: DynamicModule[]): DynamicModule {
    const shared = parts.flatMap((part) => part.shared);
    return {
      module: VerificationModule,
      imports,
      controllers: parts.flatMap((part) => part.controllers),
      providers: [...channels(extensions), ...parts.flatMap((part) => part.providers), ...shared],
      exports: shared as NonNullable<DynamicModule['exports']>,
    };
  }
}
