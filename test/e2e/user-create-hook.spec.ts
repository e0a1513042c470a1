import { Injectable } from '@nestjs/common';
import { IdenticonGenerator } from '../../src/avatars';
import { OnUserCreate, UserEventsService } from '../../src/users';
import type { UserCreated } from '../../src/users';
import { PASSWORD, TestService } from '../support/test-service';

interface Registered {
  readonly user: { readonly id: string };
}

describe('@OnUserCreate()', () => {
  const notified: UserCreated[] = [];
  const failing = new Set<string>();

  /** Any provider of the host may listen. */
  @Injectable()
  class HostProvider extends IdenticonGenerator {
    @OnUserCreate()
    async note(event: UserCreated): Promise<void> {
      if (failing.has(event.username)) throw new Error('the listener is broken');
      await Promise.resolve();
      notified.push(event);
    }
  }

  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ identity: { extensions: { avatarGenerator: HostProvider } } });
  });

  afterAll(() => service.stop());

  const events = (): UserEventsService => service.app.get(UserEventsService, { strict: false });
  const warnings = (userId: string): string[] =>
    service.logLines.filter((line) => line.includes('user.created') && line.includes(userId));

  it('passes the new user after the commit and before the response', async () => {
    const answer = await service
      .client()
      .post<Registered>('/api/auth/register', { username: 'hooked', password: PASSWORD });
    const hooked = notified.filter(({ username }) => username === 'hooked');
    expect(hooked).toEqual([{ userId: answer.body.user.id, username: 'hooked', source: 'register' }]);
  });

  it('sees the committed user', async () => {
    const seen: unknown[] = [];
    events().onUserCreate(async ({ userId }) => {
      seen.push(...(await service.query('SELECT id FROM user_account WHERE id = $1', [userId])));
    });
    const answer = await service
      .client()
      .post<Registered>('/api/auth/register', { username: 'committed', password: PASSWORD });
    expect(seen).toEqual([{ id: answer.body.user.id }]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('staged');
      },
    ],
    ['rejects', () => Promise.reject(new Error('staged'))],
  ])('changes nothing when it %s, and logs a warning', async (how, listener) => {
    const username = `because_it_${how.replaceAll(' ', '_')}`;
    events().onUserCreate((event) => (event.username === username ? listener() : undefined));
    failing.add(username);
    const answer = await service.client().post<Registered>('/api/auth/register', { username, password: PASSWORD });
    expect(answer.status).toBe(201);
    expect(warnings(answer.body.user.id)).toHaveLength(2);
    await service.logIn(username);
  });

  it('is awaited for two seconds at most, even when it rejects later', async () => {
    const late: (() => void)[] = [];
    events().onUserCreate(({ username }) => {
      if (username !== 'patient') return undefined;
      return new Promise((_, reject) => {
        late.push(() => {
          reject(new Error('too late'));
        });
      });
    });
    const begun = performance.now();
    const answer = await service
      .client()
      .post<Registered>('/api/auth/register', { username: 'patient', password: PASSWORD });
    const took = performance.now() - begun;
    expect(answer.status).toBe(201);
    expect(took).toBeGreaterThan(1_900);
    expect(took).toBeLessThan(3_500);
    expect(warnings(answer.body.user.id)).toHaveLength(1);
    late.forEach((reject) => {
      reject();
    });
    expect((await service.client().get('/health/live')).status).toBe(200);
  });
});
