import { DatabaseClock, LATEST_START_MS } from '../../src/platform/database';
import { RotationRepository } from '../../src/session/refresh/rotation.repository';
import { rotationOf } from '../support/oauth/rotation-of';
import { sessionOf } from '../support/accounts/session-tokens';
import type { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('refresh', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  const counterOf = async (id: string): Promise<number> => {
    const [row] = await service.query<{ counter: number }>('SELECT counter FROM session WHERE id = $1', [id]);
    return row!.counter;
  };

  it('has no effect when the statement reaches the database after its caller gave up', async () => {
    const client = await service.signUp('given_up');
    const id = sessionOf(client);
    const rotateAsOf = (askedAt: number): Promise<unknown> =>
      service.app.get(RotationRepository).rotate(rotationOf(id, { askedAt }));
    const now = service.app.get(DatabaseClock).now();
    expect(await rotateAsOf(now - LATEST_START_MS - 500)).toBeUndefined();
    expect(await counterOf(id)).toBe(1);
    expect(await rotateAsOf(now)).toMatchObject({ id });
    expect(await counterOf(id)).toBe(2);
  });

  it('works with a clock that differs from that of the database', async () => {
    const client = await service.signUp('late_clock');
    const clock = service.app.get(DatabaseClock);
    clock.observe(new Date(clock.now() - 60_000));
    expect((await client.post('/api/auth/refresh')).status).toBe(200);
    expect(await counterOf(sessionOf(client))).toBe(2);
  });

  it('works for parallel calls with a clock that differs', async () => {
    const client = await service.signUp('late_tabs');
    const clock = service.app.get(DatabaseClock);
    const { cookie } = client;
    clock.observe(new Date(clock.now() - 60_000));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.client().post('/api/auth/refresh', undefined, { cookie })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await counterOf(sessionOf(client))).toBe(2);
  });
});
