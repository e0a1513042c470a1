export * from './setting.entity';
export * from './settings.module';
export * from './settings.service';
