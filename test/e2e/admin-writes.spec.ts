import { adminWritesPerMinutePerUser } from '../../src/rbac';
import { expectProblem } from '../support/service/expect-problem';
import { userWith } from '../support/accounts/holders';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('limit of administrator writes', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  it('counts writes per administrator before they run, but neither reads nor denied requests', async () => {
    const admin = await service.admin();
    const ann = await userWith(service, admin, 'ann', 'role:*');
    await service.set(adminWritesPerMinutePerUser, 3);
    for (let look = 0; look < 5; look++) expect((await ann.client.get('/api/role')).status).toBe(200);
    for (let denied = 0; denied < 5; denied++) expect((await ann.client.post('/api/permission', {})).status).toBe(403);
    // The check needs no permission, so it does not count as an administrator write.
    const checks = [{ permission_id: 'role:read' }];
    for (let asked = 0; asked < 5; asked++) {
      expect((await ann.client.post('/api/permission/check', { checks })).status).toBe(200);
    }
    const statuses = [];
    for (const name of ['one', 'two', '!', 'four']) {
      statuses.push((await ann.client.post('/api/role', { name })).status);
    }
    expect(statuses).toEqual([201, 201, 400, 429]);
    const rejected = await ann.client.post('/api/role', { name: 'five' });
    expectProblem(rejected, 429, 'rate_limited');
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await ann.client.get('/api/role')).status).toBe(200);
    expect(await service.query(`SELECT 1 FROM role WHERE name IN ('four', 'five')`)).toEqual([]);
  });
});
