/** The response body of the bare limits, as long as that of GET /api/auth/me. */
export function bareAccount(number) {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    id: `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    username: `user_${number}`,
    nickname: '',
    avatar: '/api/avatar/0123456789abcdef.svg',
    email: `user_${number}@example.com`,
    email_verified: false,
    phone: null,
    phone_verified: false,
    locale: null,
    status: 'active',
    has_password: true,
    created_at: at,
    updated_at: at,
    last_login_at: at,
    permissions: ['profile:read', 'profile:update'].map((permission_id) => ({ scope: 'iam', permission_id, level: 1 })),
  };
}
