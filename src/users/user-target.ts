import { AuditTarget } from '../audit';
import { User } from './user.entity';

/** The audit target of a user. */
export function userTarget({ id, username }: Pick<User, 'id' | 'username'>): AuditTarget {
  return { type: 'user', id, label: username };
}
