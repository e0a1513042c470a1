import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { RepositoriesModule } from '../../platform/database';
import { SettingsModule } from '../../settings';
import { DefaultTemplatesService } from './default-templates.service';
import { MessageTemplateAdminService } from './message-template-admin.service';
import { MessageTemplateVersion } from './message-template.entity';
import { MessageTemplateRepository } from './message-template.repository';
import { MessageTemplatesService } from './message-templates.service';
import { StoredTemplateCache } from './stored-template.cache';

/** The texts of messages. */
@Module({
  imports: [RepositoriesModule.forFeature([MessageTemplateVersion]), AuditModule, SettingsModule],
  providers: [
    DefaultTemplatesService,
    MessageTemplateRepository,
    StoredTemplateCache,
    MessageTemplatesService,
    MessageTemplateAdminService,
  ],
  exports: [MessageTemplatesService, MessageTemplateAdminService],
})
export class MessageTemplatesModule {}
