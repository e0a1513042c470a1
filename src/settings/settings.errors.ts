import { defineErrors } from '../platform/errors';

export const settingsErrors = defineErrors({ settingsUpdateFailed: 400 });
