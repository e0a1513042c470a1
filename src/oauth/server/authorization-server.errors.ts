import { defineErrors } from '../../platform/errors';

export const authorizationServerErrors = defineErrors({ interactionAnswered: 409 });
