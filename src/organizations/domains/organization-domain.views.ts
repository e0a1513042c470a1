import type { DomainState } from '../organization.acts';
import { OrganizationDomain } from './organization-domain.entities';

export type OrganizationDomainView = OrganizationDomain & { readonly roleIds: readonly string[] };

/** The name of the TXT record that proves the domain. */
export const txtNameOf = (domain: string): string => `_castellan-challenge.${domain}`;

/** A domain in the audit log. */
export const auditedDomain = ({
  domain,
  verifiedAt,
  membersJoin,
  roleIds,
  ruleSetBy,
}: Pick<OrganizationDomainView, 'domain' | 'verifiedAt' | 'membersJoin' | 'roleIds' | 'ruleSetBy'>): DomainState => ({
  domain,
  verified: verifiedAt !== null,
  members_join: membersJoin,
  role_ids: roleIds,
  set_by: ruleSetBy,
});
