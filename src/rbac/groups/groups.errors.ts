import { defineErrors } from '../../platform/errors';

export const groupErrors = defineErrors({ groupCircle: 409, groupDepth: 409 });
