import { Environment } from '../../platform/config';
import { CatalogueRegistrationService, CatalogueService } from '../../rbac';
import { DeclaredPermissionsService } from './declared-permissions.service';

const SEND = 'depot:parcel:send';
const NAMELESS = { description: 'Send', level: null };

describe('DeclaredPermissionsService', () => {
  const isLeftOver = async (permission: string, last: unknown, current: unknown): Promise<unknown> => {
    const declared = new DeclaredPermissionsService(
      { serviceScope: 'iam' } as Environment,
      {} as CatalogueService,
      {} as CatalogueRegistrationService,
    );
    return (await declared.item({ permission, description: 'Send' })).isLeftOver?.(last, current);
  };

  it.each([
    ['a level that was noted with none', SEND, NAMELESS, { description: 'Send', level: 2 }, true],
    ['a level that was noted', SEND, { description: 'Send', level: 2 }, { description: 'Send', level: 3 }, false],
    ['a permission that an operator has changed', SEND, NAMELESS, { description: 'Mine', level: 2 }, false],
    ['a permission that an operator has deleted', SEND, NAMELESS, undefined, false],
    ['a new permission', SEND, undefined, { description: 'Send', level: 2 }, false],
    ['an action with a standard rank', 'depot:parcel:read', NAMELESS, NAMELESS, false],
  ])('judges whether former code left %s', async (_, permission, last, current, expected) => {
    await expect(isLeftOver(permission, last, current)).resolves.toBe(expected);
  });
});
