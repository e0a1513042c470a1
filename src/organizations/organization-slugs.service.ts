import { Injectable } from '@nestjs/common';
import { Environment } from '../platform/config';
import { platformErrors } from '../platform/errors';
import { rbacErrors, Organization, OrganizationRepository } from '../rbac';
import { FormerSlugRepository } from './former-slug.repository';

/** Of one organization, so that it cannot reserve all slugs by taking one after the other. */
const MAX_FORMER_SLUGS = 10;

/** Names of pages, paths and hosts of a service, which no organization may look like. The scope of the service is another. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  ...['account', 'admin', 'api', 'login', 'oauth', 'organization', 'register', 'static', 'www'],
]);

/**
 * Which slugs an organization may take. Addresses and tokens name it by its slug, so one that another organization had stays
 * reserved for that one. Call every method in the transaction that holds the grant lock, which serializes requests for a slug.
 */
@Injectable()
export class OrganizationSlugsService {
  constructor(
    private readonly environment: Environment,
    private readonly organizations: OrganizationRepository,
    private readonly former: FormerSlugRepository,
  ) {}

  /** Organizations keep a slug that they have. Throws `validation_failed` for a reserved one, or `name_taken`. */
  async requireFree(slug: string, id: string, present?: string): Promise<void> {
    if (slug === present) return;
    if (this.isReserved(slug)) {
      throw platformErrors.validationFailed({ fields: [{ field: 'slug', code: 'reserved_slug' }] });
    }
    const isTaken = await this.organizations.isTaken(slug, id);
    if (isTaken || (await this.former.reservedAmong([slug], id)).length > 0) throw rbacErrors.nameTaken();
  }

  /** Those of the slugs that no new organization may take. */
  async takenAmong(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set([
      ...slugs.filter((slug) => this.isReserved(slug)),
      ...(await this.organizations.takenSlugs(slugs)),
      ...(await this.former.reservedAmong(slugs)),
    ]);
  }

  /** Reserves the former slug. Throws `too_many_slugs`. */
  async replace({ id, slug }: Pick<Organization, 'id' | 'slug'>, next: string): Promise<void> {
    if (slug === next) return;
    await this.former.release(next);
    if ((await this.former.count(id)) >= MAX_FORMER_SLUGS) throw rbacErrors.tooManySlugs();
    await this.former.reserve(slug, id);
  }

  /** Reserves the slug of an organization that is deleted. */
  reserve({ id, slug }: Pick<Organization, 'id' | 'slug'>): Promise<void> {
    return this.former.reserve(slug, id);
  }

  private isReserved(slug: string): boolean {
    return RESERVED_SLUGS.has(slug) || slug === this.environment.serviceScope;
  }
}
