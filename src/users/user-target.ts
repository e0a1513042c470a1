import { AuditTarget } from '../audit';
import { User } from './user.entity';

/** A user as the audit names whom an act was on. */
export function userTarget({ id, username }: Pick<User, 'id' | 'username'>): AuditTarget {
  return { type: 'user', id, label: username };
}
