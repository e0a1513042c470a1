import { AuditTarget } from '../../audit';
import { PublicUser } from '../../users';
import type { OrganizationState } from './membership.acts';
import { ListedMember } from './organization-member-list.repository';
import { Organization } from './organization.entity';
import { OrganizationContent } from './organization.repository';
import { SetUp } from './set-up';

/** A member with the roles in the organization. */
export interface OrganizationMemberView extends ListedMember {
  readonly user: PublicUser;
}

/** A member with what is switched off at the removal. */
export interface OrganizationMemberDetailView extends OrganizationMemberView {
  readonly setUp: readonly SetUp[];
}

/** The audit target of an organization. */
export const organizationTarget = ({ id, name }: Pick<Organization, 'id' | 'name'>): AuditTarget => ({
  type: 'organization',
  id,
  label: name,
  organizationId: id,
});

/** The audit target of what is to be created in the organization; undefined for the service. */
export const targetOfPlace = (id: string | null): AuditTarget | undefined =>
  id === null ? undefined : { type: 'organization', id, organizationId: id };

/** An organization in the audit log. */
export const auditedOrganization = ({
  slug,
  name,
  logo,
  attributes,
  mfaRequired,
}: OrganizationContent): OrganizationState => ({
  slug,
  name,
  logo,
  attributes,
  mfa_required: mfaRequired,
});
