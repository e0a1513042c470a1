import { createRole } from '../support/accounts/holders';
import { itOnServer, WAITING_FOR_US } from '../support/service/on-server';
import { eventually, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const HOLD_AUTHORITY = `SELECT 1 FROM role WHERE is_system AND name = 'admin' FOR NO KEY UPDATE`;

describe('changing the default role', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  itOnServer(
    'waits for a concurrent role change before it locks the settings that the role change writes',
    async () => {
      const admin = await service.admin();
      await createRole(admin, 'newcomers', 'welcome:read');
      let named: Promise<{ status: number }>;
      await service.query('BEGIN');
      try {
        await service.query(HOLD_AUTHORITY);
        named = admin.put('/api/setting', { updates: [{ key: 'register.default_role', value: 'newcomers' }] });
        await eventually(
          () => service.query(WAITING_FOR_US),
          (rows) => rows.length > 0,
        );
        await service.query('LOCK TABLE setting IN SHARE ROW EXCLUSIVE MODE NOWAIT');
      } finally {
        await service.query('ROLLBACK');
      }
      expect((await named).status).toBe(200);
    },
  );
});
