import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { RepositoriesModule } from '../platform/database';
import { Feature } from '../platform/feature';
import { SettingsModule } from '../settings';
import { AttributesModule } from './attributes';
import { AccountChangesService } from './account-changes.service';
import { AccountDeletionService } from './account-deletion.service';
import { AccountEventsService } from './account-events.service';
import { ContactOwnershipService } from './contact-ownership.service';
import { ContactNormalizerService } from './contact-normalizer.service';
import { CredentialSourceRegistry } from './credential-source.registry';
import { DeletionRequestRepository } from './deletion-request.repository';
import { DeletionRequestsService } from './deletion-requests.service';
import { ExternalAvatarsService } from './external-avatars.service';
import { PasswordPolicyService } from './password-policy.service';
import { ShownUsersService } from './shown-users.service';
import { TermsSettingsCheck } from './terms-settings.check';
import { TermsService } from './terms.service';
import { UserEventsService } from './user-events.service';
import { UserLookupService } from './user-lookup.service';
import { UserCache } from './user.cache';
import { User } from './user.entity';
import { UserRepository } from './user.repository';

const shared = [
  UserRepository,
  UserCache,
  UserEventsService,
  UserLookupService,
  ShownUsersService,
  ExternalAvatarsService,
  AccountEventsService,
  AccountChangesService,
  AccountDeletionService,
  DeletionRequestRepository,
  DeletionRequestsService,
  PasswordPolicyService,
  ContactNormalizerService,
  ContactOwnershipService,
  CredentialSourceRegistry,
  TermsService,
];

@Module({
  imports: [RepositoriesModule.forFeature([User]), AuditModule, SettingsModule, AttributesModule],
  providers: [...shared, TermsSettingsCheck],
  exports: [...shared, AttributesModule],
})
export class UsersModule {}

export const usersFeature: Feature = { module: UsersModule, entities: [User] };
