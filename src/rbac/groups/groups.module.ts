import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { GroupAccessService } from './group-access.service';
import { GroupAdminService } from './group-admin.service';
import { GroupChangesService } from './group-changes.service';
import { GroupLookupService } from './group-lookup.service';
import { GroupMembersController } from './group-members.controller';
import { GroupMembersService } from './group-members.service';
import { GroupReferencesService } from './group-references.service';
import { GroupViewsService } from './group-views.service';
import { GroupsController } from './groups.controller';
import { ImportedGroupsService } from './imported-groups.service';
import { GrantsModule } from '../grants/grants.module';
import { EscalationModule } from '../escalation/escalation.module';

/** Trees of users, whose members hold the roles of the group and of those above it. */
@Module({
  imports: [AuditModule, GrantsModule, EscalationModule],
  controllers: [GroupsController, GroupMembersController],
  providers: [
    GroupAccessService,
    GroupReferencesService,
    GroupViewsService,
    GroupChangesService,
    GroupAdminService,
    GroupMembersService,
    GroupLookupService,
    ImportedGroupsService,
  ],
  exports: [GroupLookupService, ImportedGroupsService],
})
export class GroupsModule {}
