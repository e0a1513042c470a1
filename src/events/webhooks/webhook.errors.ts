import { defineErrors } from '../../platform/errors';

export const webhookErrors = defineErrors({ eventsExpired: 409 });
