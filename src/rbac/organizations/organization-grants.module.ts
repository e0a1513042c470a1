import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { UsersModule } from '../../users';
import { OrganizationMembershipsService } from './organization-memberships.service';
import { OrganizationRoleBatchesService } from './organization-role-batches.service';
import { PendingMemberRepository } from './pending-member.repository';
import { PendingMembershipsService } from './pending-memberships.service';
import { GrantsModule } from '../grants/grants.module';
import { EscalationModule } from '../escalation/escalation.module';

const providers = [
  PendingMemberRepository,
  PendingMembershipsService,
  OrganizationRoleBatchesService,
  OrganizationMembershipsService,
];

/** Memberships of organizations, and roles of many members at once. */
@Module({
  imports: [AuditModule, UsersModule, GrantsModule, EscalationModule],
  providers,
  exports: providers,
})
export class OrganizationGrantsModule {}
