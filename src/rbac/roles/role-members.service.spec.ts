import type { Transactions } from '../../platform/database';
import type { Caller } from '../../platform/context';
import type { MemberRepository } from '../grants/member.repository';
import type { PermissionsService } from '../grants/permissions.service';
import { RoleMembersService } from './role-members.service';

const MANY = 200_000;
const done = (): Promise<void> => Promise.resolve();

describe('RoleMembersService', () => {
  let invalidated: readonly string[] = [];
  const permissions = {
    invalidate: (users) => {
      invalidated = typeof users === 'string' ? [users] : users;
      return done();
    },
  } as Partial<PermissionsService> as PermissionsService;

  const membersWith = (removed: string[]): RoleMembersService => {
    const transactions = { run: (work: () => Promise<unknown>) => work() } as Transactions;
    const members: Partial<MemberRepository> = {
      difference: () => Promise.resolve({ added: [], removed }),
      replace: done,
    };
    const role = { id: 'role', name: 'role', isSystem: false, organizationId: null };
    const access = { find: () => Promise.resolve(role) };
    const holders = { getMemberships: () => members, requireEligible: done, requireCover: done };
    const keeping = { keepFor: (_caller: Caller, _place: string | null, change: () => unknown) => change() };
    const audit = { recordAll: done };
    const others = [transactions, access, holders, { lock: done }, permissions, {}, {}, keeping, audit];
    return new RoleMembersService(...(others as ConstructorParameters<typeof RoleMembersService>));
  };
  const removeAll = (amount: number): Promise<unknown> =>
    membersWith(Array.from({ length: amount }, (_, index) => `user ${index}`)).replace({} as Caller, 'role', []);

  it('invalidates the grants of changed members', async () => {
    await removeAll(2);
    expect(invalidated).toEqual(['user 0', 'user 1']);
  });

  it('empties a role of any size', async () => {
    expect(await removeAll(MANY)).toEqual({ added: 0, removed: MANY, total: 0 });
    expect(invalidated).toHaveLength(MANY);
  });
});
