import { TestService } from '../support/service/test-service';

describe('metrics', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ environment: { METRICS_ALLOW: '192.0.2.0/24' } });
  });

  afterAll(() => service.stop());

  const read = async (
    remoteAddress: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; text: string; type: string }> => {
    const answer = await service.client().get('/metrics', { remoteAddress, headers });
    return { status: answer.status, text: answer.text, type: String(answer.headers['content-type']) };
  };

  it.each([
    { peer: '127.0.0.1', status: 200 },
    { peer: '192.0.2.7', status: 200 },
    { peer: '198.51.100.1', status: 404 },
    { peer: '198.51.100.1', forwarded: '192.0.2.7', status: 404 },
    { peer: '127.0.0.1', forwarded: '192.0.2.7', status: 200 },
    { peer: '127.0.0.1', forwarded: '127.0.0.1', status: 404 },
    { peer: '127.0.0.1', forwarded: '::1', status: 404 },
    { peer: '127.0.0.1', forwarded: '198.51.100.1', status: 404 },
    { peer: '127.0.0.1', forwarded: 'rubbish', status: 404 },
    { peer: '192.0.2.7', forwarded: '127.0.0.1', status: 200 },
  ])('return $status to the peer $peer that forwards $forwarded', async ({ peer, forwarded, status }) => {
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    expect((await read(peer, headers)).status).toBe(status);
  });

  it.each(['forwarded', 'x-real-ip', 'x-forwarded-host', 'via', 'cf-connecting-ip'])(
    'return 404 to a loopback peer that forwards by %s',
    async (name) => {
      expect((await read('127.0.0.1', { [name]: '127.0.0.1' })).status).toBe(404);
    },
  );

  it('count requests by route, logins and refreshes by outcome, hashes and connections', async () => {
    const ann = await service.signUp('ann');
    await ann.post('/api/auth/refresh');
    await ann.post('/api/auth/refresh', { refresh_token: 'no token' });
    await ann.post('/api/auth/login', { type: 'password', username: 'ann', password: 'wrong' });
    await ann.delete('/api/auth/sessions/01900000-0000-7000-8000-000000000000');

    const { text, type } = await read('127.0.0.1');

    expect(type).toContain('text/plain');
    expect(text).toContain('castellan_logins_total{method="password",outcome="success"} 1');
    expect(text).toContain('castellan_logins_total{method="password",outcome="invalid_credentials"} 1');
    expect(text).toContain('castellan_refreshes_total{outcome="rotated"} 1');
    expect(text).toContain('castellan_refreshes_total{outcome="unauthenticated"} 1');
    expect(text).toContain(
      'castellan_http_request_seconds_count{method="DELETE",route="/api/auth/sessions/:id",status="404"} 1',
    );
    expect(text).toMatch(/castellan_database_connections [1-9]/);
    expect(text).toMatch(/castellan_hashes_waiting 0/);
  });

  it('never use an address as a label', async () => {
    await service.client().get('/api/auth/sessions/some-visitor');
    await service.client().get('/nobody/knows/this');
    const { text } = await read('127.0.0.1');
    expect(text).not.toContain('some-visitor');
    expect(text).not.toContain('nobody');
  });
});
