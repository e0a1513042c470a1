import { Caller } from '../../../platform/context';
import { LoginProviderDeletionService } from './login-provider-deletion.service';

describe('LoginProviderDeletionService', () => {
  it('locks the providers before the provider, as a change does, so that the two do not deadlock', async () => {
    const locked: string[] = [];
    const transactions = { run: (work: () => Promise<void>) => work() };
    const repository = {
      find: async () => ({ id: 'p1', name: 'sim' }),
      lock: async () => void locked.push('providers'),
      findLocked: async () => void locked.push('provider'),
    };
    const guard = { requireUnlisted: async () => undefined };
    const none = {} as never;
    const service = new LoginProviderDeletionService(
      transactions as never,
      repository as never,
      none,
      guard as never,
      none,
      none,
      none,
      none,
    );
    await expect(service.delete({ userId: 'ann' } as Caller, 'p1', false)).rejects.toMatchObject({ code: 'not_found' });
    expect(locked).toEqual(['providers', 'provider']);
  });
});
