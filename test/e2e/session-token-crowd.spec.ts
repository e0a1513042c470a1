import { decodeProtectedHeader } from 'jose';
import { accessOf, base64url, partsOf, refreshOf } from '../support/session-tokens';
import { TestService } from '../support/test-service';

describe('session token among cookies of the same name', () => {
  let service: TestService;
  let access: string;
  let refresh: string;

  beforeAll(async () => {
    service = await TestService.start();
    const client = await service.signUp('ann');
    access = accessOf(client);
    refresh = refreshOf(client);
  });

  afterAll(() => service.stop());

  it('is found in any position among invalid ones', async () => {
    const [header, claims, signature] = partsOf(access);
    const unknown = base64url({ ...decodeProtectedHeader(access), kid: 'unknown' });
    const rubbish = ['', 'x', 'a.b.c', `${unknown}.${claims}.${signature}`, `${header}.${claims}.short`, '..'];
    const cookie = [...rubbish, ...rubbish, access].map((value) => `iam_access=${value}`).join('; ');
    expect((await service.client().get('/api/auth/me', { cookie })).status).toBe(200);
    const refreshing = [...rubbish, refresh].map((value) => `iam_refresh=${value}`).join('; ');
    const answer = await service.client().post('/api/auth/refresh', undefined, { cookie: refreshing });
    expect(answer.status).toBe(200);
  });

  it('is searched among at most four plausible ones', async () => {
    const forged = `${access.slice(0, -4)}AAAA`;
    const cookie = (count: number): string =>
      [...Array.from({ length: count }, () => forged), access].map((value) => `iam_access=${value}`).join('; ');
    expect((await service.client().get('/api/auth/me', { cookie: cookie(3) })).status).toBe(200);
    expect((await service.client().get('/api/auth/me', { cookie: cookie(4) })).status).toBe(401);
  });
});
