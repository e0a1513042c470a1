import { decodeProtectedHeader } from 'jose';
import { DatabaseClock } from '../../src/platform/database';
import { OAuthKeysService } from '../../src/oauth/server/oauth-keys.service';
import { setTimeout as pause } from 'node:timers/promises';
import { SessionKeysService } from '../../src/session';
import { SessionRepository } from '../../src/session/store/session.repository';
import { encryptionKey } from '../support/service/encryption-key';
import { expectProblem } from '../support/service/expect-problem';
import { TestClient } from '../support/service/test-client';
import { eventually, TEST_KEYS, TestService } from '../support/service/test-service';

interface KeyList {
  readonly items: { kid: string; state: string; signs_from: string }[];
}

const kidOf = (client: TestClient): string => String(decodeProtectedHeader(client.jar.get('iam_access') ?? '').kid);

describe('rotation of the signing key', () => {
  let service: TestService;
  let administrator: TestClient;

  beforeEach(async () => {
    service = await TestService.start();
    administrator = await service.admin();
  });

  afterEach(() => service.stop());

  const published = async (): Promise<unknown[]> =>
    (await service.client().get<{ keys: { kid: string }[] }>('/.well-known/jwks.json')).body.keys.map(({ kid }) => kid);

  /** Moves the stored times of the keys into the past. */
  const age = (seconds: number): Promise<unknown> =>
    service.query('UPDATE signing_key SET signs_from = signs_from - make_interval(secs => $1::int)', [seconds]);

  it('publishes the new key a minute before it signs', async () => {
    const answer = await administrator.post<KeyList>('/api/signing-key');
    expect(answer.status).toBe(201);
    expect(answer.body.items.map(({ state }) => state)).toEqual(['pending', 'signing']);
    expect(await published()).toHaveLength(2);

    const ann = await service.signUp('ann');
    expect(kidOf(ann)).toBe(answer.body.items[1]!.kid);
  });

  it('keeps all sessions of both keys valid on every instance', async () => {
    const old = await service.signUp('old');
    const { body } = await administrator.post<KeyList>('/api/signing-key');
    await age(61);
    const other = await service.another();

    const fresh = new TestClient(other.app);
    await other.register('fresh');
    await other.logIn('fresh', undefined, fresh);
    expect(kidOf(fresh)).toBe(body.items[0]!.kid);

    for (const client of [old, fresh]) {
      expect((await client.get('/api/auth/me')).status).toBe(200);
      expect((await client.post('/api/auth/refresh')).status).toBe(200);
    }
  });

  it('retires a superseded key only when no live session has tokens of it', async () => {
    const ann = await service.signUp('ann');
    const { body } = await administrator.post<KeyList>('/api/signing-key');
    const [next, first] = body.items.map(({ kid }) => kid);
    await age(3 * 3_600);
    await service.query(`UPDATE session SET rotated_at = now() - interval '4 hours'`);

    await service.app.get(SessionKeysService).retireSuperseded();
    expect(await published()).toEqual([next, first]);

    await service.query(`UPDATE session SET rotated_at = now()`);
    await service.app.get(SessionKeysService).retireSuperseded();
    expect(await published()).toEqual([next]);
    expectProblem(await ann.get('/api/auth/me'), 401, 'unauthenticated');
    expect(await service.query(`SELECT target_id FROM audit_event WHERE action = 'signing_key.retire'`)).toEqual([
      { target_id: first },
    ]);
  });

  it('keeps a superseded key while access tokens of it may be valid, whatever clock the instance has', async () => {
    const ann = await service.signUp('ann');
    const { body } = await administrator.post<KeyList>('/api/signing-key');
    await age(1_800);
    await service.query(`UPDATE session SET rotated_at = now()`);
    const hoursAhead = Date.now() + 3 * 3_600_000;
    const ahead = jest.spyOn(Date, 'now').mockReturnValue(hoursAhead);
    // Simulates an instance whose clock is ahead and which has not yet compared it with the database.
    service.app.get(DatabaseClock, { strict: false }).observe(new Date(hoursAhead));
    try {
      await service.app.get(SessionKeysService).retireSuperseded();
    } finally {
      ahead.mockRestore();
    }
    expect(await published()).toEqual(body.items.map(({ kid }) => kid));
    expect((await ann.get('/api/auth/me')).status).toBe(200);
  });

  it('searches for tokens of a superseded key in steps and finds every user who has one', async () => {
    for (const name of ['ann', 'bob', 'cem', 'dee']) await service.signUp(name);
    const ids = (await service.query<{ id: string }>('SELECT id FROM session ORDER BY id')).map(({ id }) => id);
    await service.query(`UPDATE session SET rotated_at = now() - interval '1 hour' WHERE id = $1`, [ids[3]]);
    const sessions = service.app.get(SessionRepository, { strict: false });
    const foundFrom = (place: number): Promise<unknown> =>
      sessions.findTokensFromBefore(new Date(Date.now() - 1_800_000), ids[place]!, 2);
    expect(await foundFrom(0)).toEqual({ holder: null, last: ids[1] });
    expect(await foundFrom(1)).toEqual({ holder: null, last: ids[2] });
    expect(await foundFrom(2)).toEqual({ holder: ids[3], last: ids[3] });
    expect(await foundFrom(4)).toEqual({ holder: null, last: null });
  });

  it('audits a retirement once when several instances perform it', async () => {
    await administrator.post<KeyList>('/api/signing-key');
    await age(3 * 3_600);
    await service.query(`UPDATE session SET rotated_at = now()`);
    const other = await service.another();
    await Promise.all([service, other].map(({ app }) => app.get(SessionKeysService).retireSuperseded()));
    expect(await published()).toHaveLength(1);
    expect(await service.query(`SELECT 1 FROM audit_event WHERE action = 'signing_key.retire'`)).toHaveLength(1);
  });

  it('rotates OAuth keys once when several instances find it due', async () => {
    // The first request creates the keys.
    await service.client().get('/api/oauth/jwks');
    await age(91 * 86_400);
    const other = await service.another();
    const instances = [service, other].map(({ app }) => app.get(OAuthKeysService, { strict: false }));
    await Promise.all(instances.map((keys) => keys.maintain()));
    await instances[1]!.maintain();
    const events = `SELECT after ->> 'algorithm' AS algorithm FROM audit_event WHERE action = 'signing_key.rotate' ORDER BY 1`;
    expect(await service.query(events)).toEqual([{ algorithm: 'ES256' }, { algorithm: 'RS256' }]);
    // This instance sees the key of the other one within a second.
    expect(await eventually(published, (keys) => keys.length === 5)).toHaveLength(5);
  });

  it('requires the permission and a recent login', async () => {
    const ann = await service.signUp('ann');
    expectProblem(await ann.post('/api/signing-key'), 403, 'permission_denied');
    await service.query(`UPDATE session SET authenticated_at = now() - interval '1 hour'`);
    const other = await service.another();
    const replayed = new TestClient(other.app);
    expectProblem(
      await replayed.post('/api/signing-key', undefined, { cookie: administrator.cookie }),
      401,
      'reauthentication_required',
    );
  });

  it('encrypts the keys again when another encryption key comes first, and starts with both', async () => {
    const before = await service.query<{ private_key: string }>('SELECT private_key FROM signing_key');
    const keys = `${encryptionKey('new', 'n')},${TEST_KEYS}`;
    const other = await service.another({ environment: { ENCRYPTION_KEYS: keys } });

    const after = await service.query<{ private_key: string }>('SELECT private_key FROM signing_key');
    expect(before[0]!.private_key).toMatch(/^enc:v1:test:/);
    expect(after[0]!.private_key).toMatch(/^enc:v1:new:/);
    expect((await new TestClient(other.app).get('/api/auth/me', { cookie: administrator.cookie })).status).toBe(200);
  });

  it('skips a key that it cannot decrypt and continues with the others', async () => {
    const ann = await service.signUp('ann');
    const [own] = await published();
    await service.query(
      `INSERT INTO signing_key (id, usage, algorithm, public_jwk, private_key, signs_from)
       SELECT 'foreign', usage, algorithm, public_jwk, replace(private_key, 'enc:v1:test:', 'enc:v1:other:'), now()
         FROM signing_key WHERE id = $1`,
      [own],
    );
    await expect(service.another()).rejects.toThrow('ENCRYPTION_KEYS cannot open');

    await pause(1_100);
    expect((await ann.get('/api/auth/me')).status).toBe(200);
    expect((await ann.post('/api/auth/refresh')).status).toBe(200);
    expect(kidOf(await service.logIn('ann'))).toBe(own);
    expect(await published()).toEqual([own]);
    expect((await administrator.get<KeyList>('/api/signing-key')).body.items.map(({ kid }) => kid)).toEqual([own]);
    expect(service.logLines.filter((line) => line.includes('A signing key cannot be opened'))).toHaveLength(1);
  });
});
