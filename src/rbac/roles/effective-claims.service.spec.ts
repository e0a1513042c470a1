import { CacheFactory } from '../../platform/cache';
import { Environment } from '../../platform/config';
import { Transactions } from '../../platform/database';
import { UserCache } from '../../users';
import { CatalogueCache } from '../permission/catalogue.cache';
import { GrantRepository } from '../grants/grant.repository';
import { GroupRepository } from '../grants/group.repository';
import { UserGroupCache } from '../grants/user-group.cache';
import { EffectiveClaimsService } from './effective-claims.service';
import { EffectivePermissionsService } from './effective-permissions.service';
import { OrganizationGrantRepository } from '../grants/organization-grant.repository';
import { CatalogueRanks } from '../permission';
import { PermissionsService } from '../grants/permissions.service';
import { RoleRepository } from '../grants/role.repository';
import { UserRoleCache } from '../grants/user-role.cache';
import { fake } from '../../../test/support/service/fake';

type FactoryArguments = ConstructorParameters<typeof CacheFactory>;

interface Database {
  readonly held: readonly string[];
  /** Codes of the user's permissions. Default: to read each of `held` in the scope `shop`. */
  readonly grants?: readonly string[];
}

/** The names of what a database holds, to which the caches of this instance listen in vain. */
function namesOf(database: Database): EffectiveClaimsService {
  const environment = { serviceScope: 'iam' } as Environment;
  const caches = new CacheFactory(
    { isOpen: false } as Transactions,
    { subscribe: () => undefined } as unknown as FactoryArguments[1],
  );
  const heldBy = async (): Promise<object[]> => database.held.map((name) => ({ id: name, scope: 'iam', name }));
  const effectiveGrantsOf = async (): Promise<object> => ({
    grants: (database.grants ?? database.held.map((name) => `shop:${name}:read`)).map((code) => {
      const [scope, resource, action] = code.split(':');
      return { scope, resource, action, level: 7 };
    }),
    demandsSecondFactor: false,
  });
  const roles = new UserRoleCache(caches, fake<RoleRepository>({ heldBy }));
  const groups = new UserGroupCache(caches, fake<GroupRepository>({ ofUser: heldBy }));
  const catalogue = fake<CatalogueCache>({ codes: async () => [], ranksFor: () => new CatalogueRanks([]) });
  const permissions = new PermissionsService(
    caches,
    environment,
    fake<GrantRepository>({ effectiveGrantsOf }),
    catalogue,
    roles,
    groups,
    {} as OrganizationGrantRepository,
    {} as UserCache,
  );
  const held = new EffectivePermissionsService(environment, permissions, catalogue);
  return new EffectiveClaimsService(environment, roles, groups, held, permissions);
}

describe('EffectiveClaimsService', () => {
  it('sorts permissions by scope, then by resource and action', async () => {
    const grants = ['shop:order:read', 'billing:order:create', 'shop:invoice:create', 'billing:invoice:read'];
    expect(await namesOf({ held: [], grants }).permissions('ann')).toEqual([
      'billing:invoice:read',
      'billing:order:create',
      'shop:invoice:create',
      'shop:order:read',
    ]);
  });

  it('names after a reload what other instances have changed', async () => {
    const database = { held: ['editor'] };
    const names = namesOf(database);
    const all = (): Promise<string[][]> =>
      Promise.all([names.roles('ann'), names.groups('ann'), names.permissions('ann')]);
    const before = await all();
    expect(before).toEqual([['editor'], ['editor'], ['shop:editor:read']]);
    database.held = [];
    expect(await all()).toEqual(before);
    await names.reload('ann');
    expect(await all()).toEqual([[], [], []]);
  });
});
