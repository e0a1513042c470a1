import { DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { UserCreateExplorer } from './on-user-create';
import { UserEvents } from './user-events';
import { UserState } from './user-state';
import { UserRepository } from './user.repository';

@Module({})
export class UsersModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: UsersModule,
      imports: [DiscoveryModule, ...imports],
      providers: [UserRepository, UserState, UserEvents, UserCreateExplorer],
      exports: [UserRepository, UserState, UserEvents],
    };
  }
}
