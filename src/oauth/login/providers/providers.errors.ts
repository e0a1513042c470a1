import { defineErrors } from '../../../platform/errors';

export const authorizationServerErrors = defineErrors({ providerDenied: 400, providerFailed: 502, nameTaken: 409 });
