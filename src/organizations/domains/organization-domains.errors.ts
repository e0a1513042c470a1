import { defineErrors } from '../../platform/errors';

export const organizationDomainErrors = defineErrors({
  domainNotVerified: 409,
  domainTaken: 409,
  tooManyDomains: 409,
});
