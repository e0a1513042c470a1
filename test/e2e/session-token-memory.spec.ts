import { TokenService, TokenType } from '../../src/session/token.service';
import { accessOf, refreshOf } from '../support/session-tokens';
import { TestClient } from '../support/test-client';
import { TestService } from '../support/test-service';

describe('the memory of session tokens that were good', () => {
  let service: TestService;
  let client: TestClient;

  beforeEach(async () => {
    service = await TestService.start();
    client = await service.signUp('ann');
  });

  afterEach(() => service.stop());

  const holds = (type: TokenType, token: string): boolean =>
    service.app.get(TokenService)['verified'][type].get(token) !== undefined;

  it('loses those whose place others have taken, which stay good for their grace', async () => {
    const [access, refresh] = [accessOf(client), refreshOf(client)];
    expect([holds('access', access), holds('refresh', refresh)]).toEqual([true, true]);
    expect((await client.post('/api/auth/refresh')).status).toBe(200);
    expect([holds('access', access), holds('refresh', refresh)]).toEqual([false, false]);
    expect([holds('access', accessOf(client)), holds('refresh', refreshOf(client))]).toEqual([true, true]);
    const cookie = `iam_refresh=${refresh}`;
    expect((await service.client().post('/api/auth/refresh', undefined, { cookie })).status).toBe(200);
  });

  it('loses those of a login that is over', async () => {
    const [access, refresh] = [accessOf(client), refreshOf(client)];
    expect((await client.post('/api/auth/logout')).status).toBe(204);
    expect([holds('access', access), holds('refresh', refresh)]).toEqual([false, false]);
  });
});
