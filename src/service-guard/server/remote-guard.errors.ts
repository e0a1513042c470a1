import { defineErrors } from '../../platform/errors';

export const remoteGuardErrors = defineErrors({ clientRequired: 403, guardScopeRequired: 403 });
