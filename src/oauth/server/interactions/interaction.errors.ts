import { defineErrors } from '../../../platform/errors';

export const interactionErrors = defineErrors({ interactionAnswered: 409 });
