import type { AuditEntry } from '../../../audit';
import { Identity } from './identity.entity';

/** The audit entry of an identity that is unlinked. */
export function unlinkEntry({
  id,
  userId,
  providerName,
  subjectHint,
}: Identity): Required<Pick<AuditEntry, 'action' | 'target' | 'before'>> {
  return {
    action: 'identity.unlink',
    target: { type: 'identity', id, label: providerName },
    before: { provider: providerName, subject_hint: subjectHint, user_id: userId },
  };
}
