import { encryptionKey } from '../support/service/encryption-key';
import { TEST_KEYS, TestService } from '../support/service/test-service';

const GITHUB = { name: 'gh', label: 'GitHub', template: 'github', client_id: 'id', client_secret: 'a-secret-text' };

describe('secrets of login providers', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
    const admin = await service.admin();
    expect((await admin.post('/api/oauth/provider', GITHUB)).status).toBe(201);
  });

  afterAll(() => service.stop());

  const stored = async (): Promise<string> => {
    const [row] = await service.query<{ secret: string }>('SELECT client_secret AS secret FROM oauth_provider');
    return row!.secret;
  };
  const startWith = (keys: string): Promise<TestService> => service.another({ environment: { ENCRYPTION_KEYS: keys } });

  it('are encrypted again at a start with a new key', async () => {
    expect(await stored()).toMatch(/^enc:v1:test:/);
    await startWith(`${encryptionKey('new', 'n')},${TEST_KEYS}`);
    const sealed = await stored();
    expect(sealed).toMatch(/^enc:v1:new:/);
    await startWith(`${encryptionKey('new', 'n')},${TEST_KEYS}`);
    expect(await stored()).toBe(sealed);
  });

  it('prevent a start without their key', async () => {
    // The keys that sign sessions would be missed first.
    await service.query('DELETE FROM signing_key');
    await expect(startWith(encryptionKey('other', 'o'))).rejects.toThrow(
      'ENCRYPTION_KEYS cannot decrypt the secrets of login providers in the database',
    );
  });
});
