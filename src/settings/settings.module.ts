import { DynamicModule, Module } from '@nestjs/common';
import { SettingsReader } from '../platform/settings';
import { SettingCatalogue } from './setting-catalogue';
import { SettingSecrets } from './setting-secrets';
import { SettingUpdates } from './setting-updates.service';
import { SettingRepository } from './setting.repository';
import { SettingsController } from './settings.controller';
import { SettingsService } from './settings.service';
import { StoredValues } from './stored-values';

@Module({})
export class SettingsModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: SettingsModule,
      imports,
      controllers: [SettingsController],
      providers: [
        SettingRepository,
        StoredValues,
        SettingsService,
        SettingSecrets,
        SettingUpdates,
        SettingCatalogue,
        { provide: SettingsReader, useExisting: SettingsService },
      ],
      exports: [SettingsService, SettingsReader, SettingUpdates, SettingCatalogue],
    };
  }
}
