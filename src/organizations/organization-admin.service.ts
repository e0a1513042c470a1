import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { RecentLoginService } from '../platform/access';
import { Caller } from '../platform/context';
import { newId } from '../platform/crypto';
import { Transactions } from '../platform/database';
import {
  PermissionsService,
  OrganizationCoverService,
  Organization,
  OrganizationContent,
  OrganizationRepository,
  auditedOrganization,
  organizationTarget,
} from '../rbac';
import { ChangeOrganizationDto, CreateOrganizationDto } from './dto/organization.dto';
import { OrganizationSlugsService } from './organization-slugs.service';
import { OrganizationViewsService } from './organization-views.service';
import { organizationActs } from './organization.acts';

/** Creates and changes organizations. */
@Injectable()
export class OrganizationAdminService {
  constructor(
    private readonly transactions: Transactions,
    private readonly organizations: OrganizationRepository,
    private readonly views: OrganizationViewsService,
    private readonly cover: OrganizationCoverService,
    private readonly permissions: PermissionsService,
    private readonly recentLogins: RecentLoginService,
    private readonly audit: AuditService,
    private readonly slugs: OrganizationSlugsService,
  ) {}

  /** Throws `validation_failed` for a reserved slug, and `name_taken` for one that another organization has or had not long ago. */
  create(body: CreateOrganizationDto): Promise<Organization> {
    const id = newId();
    const { slug, name, logo, attributes = {} } = body;
    const content = { slug, name, logo: logo ?? '', attributes, mfaRequired: body.mfa_required ?? false };
    return this.transactions.run(async () => {
      await this.cover.lock();
      await this.slugs.requireFree(slug, id);
      await this.organizations.insert(id, content);
      await this.audit.record(organizationActs.create, {
        target: organizationTarget({ id, name }),
        after: auditedOrganization(content),
      });
      return this.views.find(id);
    });
  }

  /**
   * Fields that the body leaves out stay the same. Throws `not_found`, `validation_failed` for a reserved slug, `name_taken`,
   * `too_many_slugs`, or `reauthentication_required` for another slug, name or logo, and if members no longer need a second factor.
   */
  change(caller: Caller, id: string, body: ChangeOrganizationDto): Promise<Organization> {
    return this.transactions.run(async () => {
      await this.cover.lock();
      const before = await this.views.find(id);
      const content = changedContent(before, body);
      if (isSensitive(before, content)) await this.recentLogins.require(caller);
      await this.slugs.requireFree(content.slug, id, before.slug);
      const [was, is] = [auditedOrganization(before), auditedOrganization(content)];
      if (JSON.stringify(was) === JSON.stringify(is)) return before;
      await this.slugs.replace(before, content.slug);
      await this.organizations.update(id, content);
      const target = organizationTarget({ id, name: content.name });
      await this.audit.record(organizationActs.update, { target, before: was, after: is });
      if (content.mfaRequired !== before.mfaRequired) await this.permissions.invalidateAll();
      return this.views.find(id);
    });
  }
}

/** What others know the organization by, and the requirement of a second factor: a stolen cookie is not enough to change it. */
const isSensitive = (before: Organization, after: OrganizationContent): boolean =>
  (['slug', 'name', 'logo'] as const).some((field) => before[field] !== after[field]) ||
  (before.mfaRequired && !after.mfaRequired);

/** Fields that the body leaves out stay the same. */
function changedContent(before: Organization, body: ChangeOrganizationDto): OrganizationContent {
  return {
    slug: body.slug ?? before.slug,
    name: body.name ?? before.name,
    logo: body.logo === undefined ? before.logo : (body.logo ?? ''),
    attributes: body.attributes ?? before.attributes,
    mfaRequired: body.mfa_required ?? before.mfaRequired,
  };
}
