import { Injectable } from '@nestjs/common';
import { ImportedDomainsService } from '../organizations/domains';
import { newId } from '../platform/crypto';
import { ImportedOrganizationMember, ImportedOrganizationsService } from '../organizations';
import { CandidateOrganization } from './candidate-organization';
import { ImportedOrganizationPlan, PlannedOrganization } from './imported-organization-plan';
import { ImportedOrganizationRepository } from './imported-organization.repository';

/** A user of an import and an organization that the line names. */
export interface OrganizationJoining {
  readonly userId: string;
  readonly organization: CandidateOrganization;
}

interface Placed {
  readonly members: readonly ImportedOrganizationMember[];
  readonly leftOut: readonly OrganizationJoining[];
}

/**
 * Makes imported users members of imported organizations, without roles there. An import creates missing organizations
 * and claims their domains, which have to be verified here.
 */
@Injectable()
export class ImportedOrganizationMembersService {
  constructor(
    private readonly repository: ImportedOrganizationRepository,
    private readonly organizations: ImportedOrganizationsService,
    private readonly domains: ImportedDomainsService,
  ) {}

  /** One plan serves a whole dry run, which writes nothing that a later batch could find. */
  newPlan(): ImportedOrganizationPlan {
    return new ImportedOrganizationPlan(newId);
  }

  /** Call in a transaction. Returns what is left out: see `ImportedOrganizationPlan.place`, and users who were removed. */
  async join(source: string, wanted: readonly OrganizationJoining[]): Promise<readonly OrganizationJoining[]> {
    await this.organizations.lock();
    const plan = this.newPlan();
    const { members, leftOut } = await this.place(source, plan, wanted);
    await this.create(source, plan.takeNew());
    await this.organizations.join(members);
    return leftOut;
  }

  /** What `join` would leave out. Writes nothing. */
  async rehearse(
    source: string,
    plan: ImportedOrganizationPlan,
    wanted: readonly OrganizationJoining[],
  ): Promise<readonly OrganizationJoining[]> {
    return (await this.place(source, plan, wanted)).leftOut;
  }

  private async place(
    source: string,
    plan: ImportedOrganizationPlan,
    wanted: readonly OrganizationJoining[],
  ): Promise<Placed> {
    const named = wanted.map(({ organization }) => organization);
    plan.learn(
      await this.repository.find(source, [...new Set(named.map(({ sourceId }) => sourceId))]),
      await this.organizations.takenSlugs([...new Set(named.flatMap(({ slugs }) => slugs))]),
    );
    const placed = wanted.map(({ userId, organization }) => {
      const found = plan.place(organization);
      return found && { userId, organization: found };
    });
    const found = placed.filter((member) => member !== undefined);
    const removed = await this.organizations.removedAmong(found);
    const isLeftOut = (member: ImportedOrganizationMember | undefined): boolean => !member || removed.has(member);
    return {
      members: found.filter((member) => !isLeftOut(member)),
      leftOut: wanted.filter((_, place) => isLeftOut(placed[place])),
    };
  }

  private async create(source: string, organizations: readonly PlannedOrganization[]): Promise<void> {
    if (organizations.length === 0) return;
    await this.organizations.create(organizations);
    await this.repository.insert(source, organizations);
    await this.domains.claimAll(
      organizations.flatMap(({ id, name, domains }) =>
        domains.map((domain) => ({ organization: { id, name }, domain })),
      ),
    );
  }
}
