import { TokenService, TokenType } from '../../src/session/tokens/token.service';
import { accessOf, refreshOf } from '../support/accounts/session-tokens';
import { TestClient } from '../support/service/test-client';
import type { TestService } from '../support/service/test-service';
import { withServicePerTest } from '../support/service/with-service';

describe('cache of verified session tokens', () => {
  let service: TestService;
  let client: TestClient;

  withServicePerTest(async (started) => {
    service = started;
    client = await service.signUp('ann');
  });

  const holds = (type: TokenType, token: string): boolean =>
    service.app.get(TokenService)['verified'][type].get(token) !== undefined;

  it('drops rotated tokens, which stay valid for their grace period', async () => {
    const [access, refresh] = [accessOf(client), refreshOf(client)];
    expect([holds('access', access), holds('refresh', refresh)]).toEqual([true, true]);
    expect((await client.post('/api/auth/refresh')).status).toBe(200);
    expect([holds('access', access), holds('refresh', refresh)]).toEqual([false, false]);
    expect([holds('access', accessOf(client)), holds('refresh', refreshOf(client))]).toEqual([true, true]);
    const cookie = `iam_refresh=${refresh}`;
    expect((await service.client().post('/api/auth/refresh', undefined, { cookie })).status).toBe(200);
  });

  it('drops tokens of a session that ended', async () => {
    const [access, refresh] = [accessOf(client), refreshOf(client)];
    expect((await client.post('/api/auth/logout')).status).toBe(204);
    expect([holds('access', access), holds('refresh', refresh)]).toEqual([false, false]);
  });
});
