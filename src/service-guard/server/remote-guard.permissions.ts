import { definePermissions } from '../../platform/access';

/** Held by OAuth clients only: the guards of other services. */
export const remoteGuardPermissions = definePermissions({ execute: 'remote_guard:execute' });
