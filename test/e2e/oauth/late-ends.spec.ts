import { FlowCleanupJob } from '../../../src/oauth/login/flow/flow-cleanup.job';
import { UserRepository } from '../../../src/users';
import {
  begin,
  beginBinding,
  comeBack,
  expectNothingCame,
  FakeProviders,
  roundTrip,
} from '../../support/oauth/fake-providers';
import { startWithProviders } from '../../support/oauth/service-with-providers';
import { TestService } from '../../support/service/test-service';

let service: TestService;
let providers: FakeProviders;

beforeAll(async () => {
  ({ service, providers } = await startWithProviders());
});

afterAll(() => service.stop());

describe('an account link whose session ends while it waits for the account lock', () => {
  it('is not created', async () => {
    const client = await service.signUp('late_end');
    const provider = providers.door();
    const state = await beginBinding(client, provider);
    const elsewhere = await service.logIn('late_end');
    const users = service.app.get(UserRepository, { strict: false });
    const lock = users.lock.bind(users);
    const waiting = jest.spyOn(users, 'lock').mockImplementationOnce(async (id) => {
      expect((await elsewhere.delete('/api/auth/sessions')).status).toBe(200);
      return lock(id);
    });
    await expectNothingCame(service, () => comeBack(client, provider, state), 'state_invalid');
    waiting.mockRestore();
    expect((await elsewhere.get<{ items: unknown[] }>('/api/auth/identities')).body.items).toEqual([]);
  });
});

describe('abandoned logins at providers', () => {
  it('are deleted after they expire, with their link tokens', async () => {
    const [left, waiting] = [providers.add(), providers.add()];
    for (const provider of [left, waiting]) {
      await begin(service.client(), provider);
      provider.person('unknown');
      expect((await roundTrip(service.client(), provider)).body.status).toBe('bind_required');
    }
    const expire = `SET expires_at = now() - interval '1 second' WHERE provider_id = $1`;
    await service.query(`UPDATE oauth_state ${expire}`, [left.provider.id]);
    await service.query(`UPDATE oauth_bind_ticket ${expire}`, [left.provider.id]);
    await service.app.get(FlowCleanupJob, { strict: false }).clean();
    const kept = (table: string): Promise<object[]> =>
      service.query(`SELECT provider_id FROM ${table} WHERE provider_id = ANY ($1)`, [
        [left.provider.id, waiting.provider.id],
      ]);
    const one = [{ provider_id: waiting.provider.id }];
    expect([await kept('oauth_state'), await kept('oauth_bind_ticket')]).toEqual([one, one]);
  });
});
