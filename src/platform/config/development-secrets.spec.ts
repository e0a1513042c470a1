import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { developmentEncryptionKeys, resolveEncryptionKeys } from './development-secrets';
import { EnvironmentError } from './environment-error';
import { readEnvironment } from './read-environment';

const keyOf = (fill: number): string => `dev:${Buffer.alloc(32, fill).toString('base64url')}`;

const isFresh = async (): Promise<boolean> => false;

describe('developmentEncryptionKeys', () => {
  let parent: string;
  let folder: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'castellan-keys-'));
    folder = join(parent, 'data');
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  it('generates keys once and stores them', async () => {
    const generate = jest.fn(() => keyOf(1));
    expect(await developmentEncryptionKeys(folder, generate, isFresh)).toBe(keyOf(1));
    expect(await developmentEncryptionKeys(folder, generate, isFresh)).toBe(keyOf(1));
    expect(generate).toHaveBeenCalledTimes(1);
    expect(await readdir(folder)).toEqual(['encryption-keys']);
  });

  it('stores no keys for a database that other keys have sealed', async () => {
    await developmentEncryptionKeys(
      folder,
      () => keyOf(1),
      async () => true,
    );
    expect(await readdir(parent)).toEqual([]);
    await developmentEncryptionKeys(folder, () => keyOf(2), isFresh);
    expect(
      await developmentEncryptionKeys(
        folder,
        () => keyOf(3),
        async () => true,
      ),
    ).toBe(keyOf(2));
  });

  it('makes the file readable for its owner only', async () => {
    await developmentEncryptionKeys(folder, () => keyOf(1), isFresh);
    const file = join(folder, 'encryption-keys');
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await chmod(file, 0o644);
    await developmentEncryptionKeys(folder, () => keyOf(2), isFresh);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('gives parallel starts the same keys', async () => {
    const starters = Array.from({ length: 20 }, (_, index) =>
      developmentEncryptionKeys(folder, () => keyOf(index), isFresh),
    );
    expect(new Set(await Promise.all(starters)).size).toBe(1);
    expect(await readdir(folder)).toEqual(['encryption-keys']);
  });

  it.each(['', 'rubbish', 'k:short'])('rejects a file with the content %j and names it', async (text) => {
    await developmentEncryptionKeys(folder, () => keyOf(1), isFresh);
    await writeFile(join(folder, 'encryption-keys'), text);
    const reading = developmentEncryptionKeys(folder, () => keyOf(2), isFresh);
    await expect(reading).rejects.toThrow(EnvironmentError);
    await expect(reading).rejects.toThrow(join(folder, 'encryption-keys'));
  });

  it('is not used when ENCRYPTION_KEYS is set', async () => {
    const environment = readEnvironment({ DATA_DIR: folder, ENCRYPTION_KEYS: keyOf(3) });
    expect(await resolveEncryptionKeys(environment, () => keyOf(1), isFresh)).toBe(keyOf(3));
    expect(await readdir(parent)).toEqual([]);
  });

  it('returns the same keys for an embedded and a server database', async () => {
    const embedded = readEnvironment({ DATA_DIR: folder });
    const server = readEnvironment({ DATA_DIR: folder, DATABASE_URL: 'postgres://a/x' });
    expect(await resolveEncryptionKeys(embedded, () => keyOf(1), isFresh)).toBe(keyOf(1));
    expect(await resolveEncryptionKeys(server, () => keyOf(2), isFresh)).toBe(keyOf(1));
  });
});
