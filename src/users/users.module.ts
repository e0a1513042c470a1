import { DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ContactForms } from './contact-forms';
import { UserCreateExplorer } from './on-user-create';
import { PasswordPolicy } from './password-policy';
import { UserEvents } from './user-events';
import { UserState } from './user-state';
import { UserRepository } from './user.repository';

@Module({})
export class UsersModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: UsersModule,
      imports: [DiscoveryModule, ...imports],
      providers: [UserRepository, UserState, UserEvents, PasswordPolicy, ContactForms, UserCreateExplorer],
      exports: [UserRepository, UserState, UserEvents, PasswordPolicy, ContactForms],
    };
  }
}
