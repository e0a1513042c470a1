import { definePermissions } from '../../platform/access';

export const organizationDomainPermissions = definePermissions({ update: 'organization_domain:update' });
