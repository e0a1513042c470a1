import { DynamicModule, Module } from '@nestjs/common';
import { InfoController } from './info.controller';
import { InfoService } from './info.service';

@Module({})
export class InfoModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: InfoModule,
      imports,
      controllers: [InfoController],
      providers: [InfoService],
      exports: [InfoService],
    };
  }
}
