import { UserRepository } from '../../../src/users';
import { beginBinding, comeBack, expectNothingCame, FakeProviders } from '../../support/fake-providers';
import { startWithProviders } from '../../support/service-with-providers';
import { TestService } from '../../support/test-service';

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
