import { DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AccountEvents } from './account-events';
import { ContactClaims } from './contact-claims';
import { ContactForms } from './contact-forms';
import { CredentialSources } from './credential-sources';
import { UserCreateExplorer } from './on-user-create';
import { PasswordPolicy } from './password-policy';
import { UserDeletions } from './user-deletions';
import { UserEvents } from './user-events';
import { UserNames } from './user-names';
import { UserState } from './user-state';
import { UserRepository } from './user.repository';

const shared = [
  UserRepository,
  UserState,
  UserEvents,
  UserNames,
  UserDeletions,
  AccountEvents,
  PasswordPolicy,
  ContactForms,
  ContactClaims,
  CredentialSources,
];

@Module({})
export class UsersModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: UsersModule,
      imports: [DiscoveryModule, ...imports],
      providers: [...shared, UserCreateExplorer],
      exports: shared,
    };
  }
}
