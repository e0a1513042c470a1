import type { AuditTarget } from '../../../audit';
import type { Caller } from '../../../platform/context';
import { ClientOrganizationsService } from './client-organizations.service';
import { fakeArguments } from '../../../../test/support/service/fake';

type Parts = ConstructorParameters<typeof ClientOrganizationsService>;

const CALLER = { userId: 'ann' } as Caller;

describe('ClientOrganizationsService.authorize', () => {
  const targets: (AuditTarget | undefined)[] = [];
  const ties = new ClientOrganizationsService(
    ...fakeArguments<Parts>([
      { serviceScope: 'castellan' },
      { requireCover: async (_: object, __: object, target?: AuditTarget) => targets.push(target) },
      {},
      { slugOf: async (id: string) => (id === 'unknown' ? undefined : id) },
      {},
      {},
      {},
    ]),
  );
  const authorize = async (organizationId: string | null, before: string | null): Promise<unknown[]> => {
    targets.length = 0;
    const tie = { organizationId: before, organizationSetBy: before === null ? null : 'ann' };
    await ties.authorize(CALLER, { organizationId }, tie);
    return targets;
  };

  it('audits an attempt at the new organization for the service only', async () => {
    expect(await authorize('acme', null)).toEqual([{ type: 'organization', id: 'acme' }]);
  });

  it('requires authority in both organizations, and once if the tie stays', async () => {
    expect(await authorize('acme', 'globex')).toMatchObject([{ id: 'globex' }, { id: 'acme' }]);
    expect(await authorize('acme', 'acme')).toMatchObject([{ id: 'acme' }]);
    expect(await authorize(null, 'globex')).toMatchObject([{ id: 'globex' }]);
    expect(await authorize(null, null)).toEqual([]);
  });

  it('rejects an unknown organization', async () => {
    await expect(authorize('unknown', null)).rejects.toMatchObject({
      fields: [{ field: 'organization_id', code: 'unknown_organization' }],
    });
  });
});
