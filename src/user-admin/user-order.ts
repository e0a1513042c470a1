import { Position } from '../platform/lists';

/** What has an index. One on the last login would make every login write all indexes of the account. */
export const USER_SORTS = ['-created_at', 'created_at', 'username', '-username'] as const;
export type UserSort = (typeof USER_SORTS)[number];

export const NEWEST_FIRST: UserSort = '-created_at';

/** How a list of users is ordered, as parts of its statement. */
export interface UserOrder {
  /** The columns that the order reads: of the account, and of the member of a role where that bounds the rows, too. */
  readonly columns: { readonly plain: readonly string[]; readonly ofRole: readonly string[] };
  readonly direction: 'ASC' | 'DESC';
  /** The member of the cursor's position that the columns are compared with. */
  readonly place: number;
}

/** Ids rise with time. Bounds both tables, because the planner does not derive one bound from the other. */
const BY_ID = { plain: ['account.id'], ofRole: ['member.user_id', 'account.id'] };
const NAME = ['lower(account.username)'];
const BY_NAME = { plain: NAME, ofRole: NAME };

const ORDERS: Readonly<Record<UserSort, UserOrder>> = {
  '-created_at': { columns: BY_ID, direction: 'DESC', place: 1 },
  created_at: { columns: BY_ID, direction: 'ASC', place: 1 },
  username: { columns: BY_NAME, direction: 'ASC', place: 0 },
  '-username': { columns: BY_NAME, direction: 'DESC', place: 0 },
};

export const orderOf = (sort: UserSort): UserOrder => ORDERS[sort];

/** The position of a user in lists of this order, for a cursor. */
export function positionIn(
  sort: UserSort,
  user: { readonly id: string; readonly username: string; readonly segment: number },
): Position {
  return orderOf(sort).place === 0 ? [user.username.toLowerCase()] : [String(user.segment), user.id];
}
