import { adminWritesPerMinutePerUser } from '../../src/platform/http';
import { holderOf } from '../support/holders';
import { TestService } from '../support/test-service';

describe('what administrators change', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });

  afterAll(() => service.stop());

  it('is counted for each of them, before the work; what they look at, and what is denied, is not', async () => {
    const admin = await service.admin();
    const ann = await holderOf(service, admin, 'ann', 'role:*');
    await service.set(adminWritesPerMinutePerUser, 3);
    for (let look = 0; look < 5; look++) expect((await ann.client.get('/api/role')).status).toBe(200);
    for (let denied = 0; denied < 5; denied++) expect((await ann.client.post('/api/permission', {})).status).toBe(403);
    // Needs no permission, and so is no act of an administrator.
    const checks = [{ permission_id: 'role:read' }];
    for (let asked = 0; asked < 5; asked++) {
      expect((await ann.client.post('/api/permission/check', { checks })).status).toBe(200);
    }
    const statuses = [];
    for (const name of ['one', 'two', '!', 'four']) {
      statuses.push((await ann.client.post('/api/role', { name })).status);
    }
    expect(statuses).toEqual([201, 201, 400, 429]);
    const refused = await ann.client.post('/api/role', { name: 'five' });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await ann.client.get('/api/role')).status).toBe(200);
    expect(await service.query(`SELECT 1 FROM role WHERE name IN ('four', 'five')`)).toEqual([]);
  });
});
