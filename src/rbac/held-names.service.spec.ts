import { CacheFactory } from '../platform/cache';
import { Environment } from '../platform/config';
import { Transactions } from '../platform/database';
import { CatalogueCache } from './catalogue.cache';
import { GrantRepository } from './grant.repository';
import { GroupRepository } from './groups/group.repository';
import { UserGroupCache } from './groups/user-group.cache';
import { HeldNamesService } from './held-names.service';
import { HeldPermissionsService } from './held-permissions.service';
import { OrganizationGrantRepository } from './organizations/organization-grant.repository';
import { CatalogueRanks } from './permission';
import { PermissionsService } from './permissions.service';
import { RoleRepository } from './role.repository';
import { UserRoleCache } from './user-role.cache';

type FactoryArguments = ConstructorParameters<typeof CacheFactory>;

/** The names of what a database holds, to which the caches of this instance listen in vain. */
function namesOf(database: { readonly held: readonly string[] }): HeldNamesService {
  const environment = { serviceScope: 'iam' } as Environment;
  const caches = new CacheFactory(
    { isOpen: false } as Transactions,
    { subscribe: () => undefined } as unknown as FactoryArguments[1],
  );
  const heldBy = async (): Promise<object[]> => database.held.map((name) => ({ id: name, scope: 'iam', name }));
  const effectiveGrantsOf = async (): Promise<object> => ({
    grants: database.held.map((name) => ({ scope: 'shop', resource: name, action: 'read', level: 1 })),
    demandsSecondFactor: false,
  });
  const roles = new UserRoleCache(caches, { heldBy } as unknown as RoleRepository);
  const groups = new UserGroupCache(caches, { ofUser: heldBy } as unknown as GroupRepository);
  const catalogue = { codes: async () => [], ranksFor: () => new CatalogueRanks([]) } as unknown as CatalogueCache;
  const permissions = new PermissionsService(
    caches,
    environment,
    { effectiveGrantsOf } as unknown as GrantRepository,
    catalogue,
    roles,
    groups,
    {} as OrganizationGrantRepository,
  );
  const held = new HeldPermissionsService(environment, permissions, catalogue);
  return new HeldNamesService(environment, roles, groups, held, permissions);
}

describe('HeldNamesService', () => {
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
