import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { MessagingModule } from '../../messaging';
import { OrganizationsModule } from '../organizations.module';
import { OrganizationSettingsModule } from '../settings';
import { RbacModule } from '../../rbac';
import { RepositoriesModule } from '../../platform/database';
import { Feature } from '../../platform/feature';
import { UsersModule } from '../../users';
import { VerificationModule } from '../../verification';
import { InvitationAcceptanceService } from './invitation-acceptance.service';
import { InvitationChangesService } from './invitation-changes.service';
import { InvitationCleanupJob } from './invitation-cleanup.job';
import { InviterEndsService } from './inviter-ends.service';
import { InvitationLimitsService } from './invitation-limits.service';
import { InvitationMessagesService } from './invitation-messages.service';
import { InvitationTokensService } from './invitation-tokens.service';
import { Invitation, InvitationRole } from './invitation.entities';
import { InvitationRepository } from './invitation.repository';
import { InvitationsController } from './invitations.controller';
import { InvitationsService } from './invitations.service';
import { InvitedContactsService } from './invited-contacts.service';
import { OpenInvitationsController } from './open-invitations.controller';
import { OpenInvitationsService } from './open-invitations.service';

/** Invitations of people to organizations, by e-mail or SMS. */
@Module({
  imports: [
    RepositoriesModule.forFeature([Invitation, InvitationRole]),
    AuditModule,
    UsersModule,
    RbacModule,
    OrganizationsModule,
    OrganizationSettingsModule,
    MessagingModule,
    VerificationModule,
  ],
  controllers: [InvitationsController, OpenInvitationsController],
  providers: [
    InvitationRepository,
    InvitationTokensService,
    InvitationLimitsService,
    InvitationMessagesService,
    InvitationChangesService,
    InviterEndsService,
    InvitationsService,
    InvitedContactsService,
    InvitationAcceptanceService,
    OpenInvitationsService,
    InvitationCleanupJob,
  ],
  exports: [InvitationAcceptanceService, InvitationTokensService],
})
export class InvitationsModule {}

export const invitationsFeature: Feature = {
  module: InvitationsModule,
  entities: [Invitation, InvitationRole],
  tags: { Invitations: 'Invitations to organizations, and their acceptance' },
};
