import { defineEvent } from '../platform/jobs/events';

/** Before an organization is deleted. A listener that throws keeps it. */
export const organizationDeleting = defineEvent<{ readonly organizationId: string }>(
  'organization.deleting',
  'in_transaction',
);
