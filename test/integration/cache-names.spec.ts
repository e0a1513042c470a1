import { CacheFactory } from '../../src/platform/cache';
import { TestService } from '../support/service/test-service';

/** Instances of this and of the former version publish what has changed under these names. */
const NAMES = [
  'attribute',
  'catalogue',
  'grants',
  'login_method',
  'message_template',
  'oauth_client',
  'oauth_client_origin',
  'oauth_provider',
  'passkey',
  'second_factor',
  'session',
  'session_revocation',
  'setting',
  'setting_history',
  'signing_key',
  'statistics',
  'statistics_failures',
  'statistics_overview',
  'user',
  'user_groups',
  'user_roles',
];

describe('the caches of a service', () => {
  it('have the names that the former version knows', async () => {
    const created = jest.spyOn(CacheFactory.prototype, 'create');
    const service = await TestService.start();
    await service.stop();
    expect(created.mock.calls.map(([name]) => name).sort()).toEqual(NAMES);
    created.mockRestore();
  });
});
