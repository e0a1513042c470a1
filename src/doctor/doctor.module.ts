import { DynamicModule, Module } from '@nestjs/common';
import { DoctorController } from './doctor.controller';
import { Doctor } from './doctor.service';

@Module({})
export class DoctorModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: DoctorModule,
      imports,
      controllers: [DoctorController],
      providers: [Doctor],
      exports: [Doctor],
    };
  }
}
