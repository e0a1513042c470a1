import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { RepositoriesModule } from '../platform/database';
import { Feature } from '../platform/feature';
import { BrandingService } from './branding.service';
import { SettingAuthorityService } from './setting-authority.service';
import { SettingCatalogueService } from './setting-catalogue.service';
import { SettingChange } from './setting-change.entity';
import { SettingSecretsService } from './setting-secrets.service';
import { SettingUpdatesService } from './setting-updates.service';
import { StoredSetting } from './stored-setting.entity';
import { SettingRepository } from './setting.repository';
import { SettingsController } from './settings.controller';
import { SettingsService } from './settings.service';
import { SettingCodecService } from './setting-codec.service';

@Module({
  imports: [RepositoriesModule.forFeature([StoredSetting, SettingChange]), AuditModule],
  controllers: [SettingsController],
  providers: [
    SettingRepository,
    SettingCodecService,
    SettingsService,
    SettingSecretsService,
    SettingAuthorityService,
    SettingUpdatesService,
    SettingCatalogueService,
    BrandingService,
  ],
  exports: [SettingsService, SettingUpdatesService, SettingCatalogueService, BrandingService],
})
export class SettingsModule {}

export const settingsFeature: Feature = {
  module: SettingsModule,
  entities: [StoredSetting, SettingChange],
  tags: { Settings: 'Values that may be changed while the service runs, with their history' },
};
