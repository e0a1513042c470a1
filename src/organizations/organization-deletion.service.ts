import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { DomainEvents } from '../platform/jobs/events';
import {
  PermissionsService,
  OrganizationCoverService,
  OrganizationRepository,
  auditedOrganization,
  organizationTarget,
} from '../rbac';
import { OrganizationContentsService } from './organization-contents.service';
import { organizationDeleting } from './organization.events';
import { OrganizationSlugsService } from './organization-slugs.service';
import { organizationActs } from './organization.acts';

/** Deletes organizations. */
@Injectable()
export class OrganizationDeletionService {
  constructor(
    private readonly transactions: Transactions,
    private readonly organizations: OrganizationRepository,
    private readonly contents: OrganizationContentsService,
    private readonly cover: OrganizationCoverService,
    private readonly permissions: PermissionsService,
    private readonly events: DomainEvents,
    private readonly audit: AuditService,
    private readonly slugs: OrganizationSlugsService,
  ) {}

  /**
   * With its members, roles and groups; the slug stays reserved. Throws `not_found`, `escalation_denied` unless the caller holds what members hold
   * there, and what its roles grant, or `in_use` while it has a login provider or OAuth clients are tied to it.
   */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.cover.lock();
      const before = await this.organizations.findById(id);
      if (!before) throw platformErrors.notFound();
      await this.cover.requireCoverOfAll(caller, id);
      await this.events.publish(organizationDeleting, { organizationId: id });
      const counts = await this.contents.counts(id);
      await this.organizations.delete(id);
      await this.slugs.reserve(before);
      await this.audit.record(organizationActs.delete, {
        target: organizationTarget(before),
        before: { ...auditedOrganization(before), ...counts },
      });
      await this.permissions.invalidateAll();
    });
  }
}
