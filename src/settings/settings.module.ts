import { DynamicModule, Module } from '@nestjs/common';
import { SettingsReader } from '../platform/settings';
import { SettingRepository } from './setting.repository';
import { SettingsService } from './settings.service';

@Module({})
export class SettingsModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: SettingsModule,
      imports,
      providers: [SettingRepository, SettingsService, { provide: SettingsReader, useExisting: SettingsService }],
      exports: [SettingsService, SettingsReader],
    };
  }
}
