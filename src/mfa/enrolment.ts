/** SQL: the ids of the users who have an app or a passkey, once for each. Recovery codes alone do not count. */
export const ENROLLED_USERS = `SELECT user_id FROM mfa_totp WHERE confirmed_at IS NOT NULL
  UNION ALL SELECT user_id FROM mfa_passkey`;

/**
 * SQL: whether the user is one of them, found by index.
 * @param userId SQL of the user's id
 */
export const isEnrolled = (userId: string): string =>
  `(EXISTS (SELECT 1 FROM mfa_totp WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM mfa_passkey WHERE user_id = ${userId}))`;
