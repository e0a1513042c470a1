import type { AuditEntry } from '../../../audit';
import { Identity } from './identity.entity';
import { identityActs } from '../third-party-login.acts';

/** The audit entry of an identity that is unlinked. */
export function unlinkEntry({ id, userId, providerName, subjectHint }: Identity, reason?: string): AuditEntry {
  return identityActs.unlink({
    target: { type: 'identity', id, label: providerName },
    before: { provider: providerName, subject_hint: subjectHint, user_id: userId },
    ...(reason !== undefined && { after: { reason } }),
  });
}
