import { defineErrors } from '../../platform/errors';

export const providerErrors = defineErrors({ providerDenied: 400, providerFailed: 502, nameTaken: 409 });
