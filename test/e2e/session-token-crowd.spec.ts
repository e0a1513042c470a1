import { decodeProtectedHeader } from 'jose';
import { newId } from '../../src/platform/crypto';
import { SigningKeyRepository } from '../../src/session/keys/signing-key.repository';
import { accessOf, base64url, partsOf, refreshOf, resign } from '../support/accounts/session-tokens';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('session token among cookies of the same name', () => {
  let service: TestService;
  let access: string;
  let refresh: string;

  withService(async (started) => {
    service = started;
    const client = await service.signUp('ann');
    access = accessOf(client);
    refresh = refreshOf(client);
  });

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

  it('causes one read of the keys in five seconds when its key id is unknown', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 40 }, () => resign(service, access, { header: { kid: newId() } })),
    );
    const reads = jest.spyOn(service.app.get(SigningKeyRepository, { strict: false }), 'findCurrent');
    const start = performance.now();
    try {
      for (const token of tokens) {
        const { status } = await service.client().get('/api/auth/me', { cookie: `iam_access=${token}` });
        expect(status).toBe(401);
      }
      const seconds = (performance.now() - start) / 1_000;
      // The keys are read once a second in any case.
      expect(reads.mock.calls.length).toBeLessThanOrEqual(1 + Math.ceil(seconds) + Math.ceil(seconds / 5));
      expect(seconds).toBeLessThan(30);
    } finally {
      reads.mockRestore();
    }
  });
});
