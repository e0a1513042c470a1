import { accessErrors } from '../../platform/access';
import { defineErrors } from '../../platform/errors';

const { sessionRevoked } = accessErrors;

export const sessionErrors = {
  sessionRevoked,
  ...defineErrors({
    tokenExpired: 401,
    refreshReused: 401,
    actAsDisabled: 403,
  }),
};
