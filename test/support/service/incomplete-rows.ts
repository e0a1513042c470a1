/**
 * A user without role or audit, an audit without its user, a session without its login, or an end without its audit or
 * vice versa.
 */
export const INCOMPLETE_ROWS = `
  SELECT username FROM user_account WHERE id NOT IN
    (SELECT user_id FROM user_role JOIN role ON role.id = role_id WHERE role.name = 'user')
  UNION ALL SELECT username FROM user_account WHERE id::text NOT IN
    (SELECT target_id FROM audit_event WHERE action = 'user.create')
  UNION ALL SELECT target_label FROM audit_event WHERE action = 'user.create' AND target_id NOT IN
    (SELECT id::text FROM user_account)
  UNION ALL SELECT id::text FROM session WHERE id NOT IN
    (SELECT session_id FROM audit_event WHERE action = 'login' AND session_id IS NOT NULL)
  UNION ALL SELECT id::text FROM session WHERE revoked_at IS NOT NULL AND id::text NOT IN
    (SELECT target_id FROM audit_event WHERE action = 'session.logout')
  UNION ALL SELECT target_id FROM audit_event WHERE action = 'session.logout' AND target_id NOT IN
    (SELECT id::text FROM session WHERE revoked_at IS NOT NULL)`;
