import { platformErrors } from '../errors';
import { PasswordHasher } from './password-hasher';

class RecordingHasher extends PasswordHasher {
  hashed = 0;
  readonly verified: [string, string][] = [];
  overloaded = false;

  override async hash(plaintext: string): Promise<string> {
    if (this.overloaded) throw platformErrors.unavailable({ retryAfterSeconds: 3 });
    this.hashed += 1;
    return `hash of ${plaintext}`;
  }
  override async verify(plaintext: string, hash: string): Promise<boolean> {
    this.verified.push([plaintext, hash]);
    return true;
  }
  override needsRehash(): boolean {
    return false;
  }
}

describe('PasswordHasher.verifyNothing', () => {
  it('verifies against one cached decoy and returns false', async () => {
    const hasher = new RecordingHasher();
    expect(await Promise.all([hasher.verifyNothing('a'), hasher.verifyNothing('b')])).toEqual([false, false]);
    expect(hasher.hashed).toBe(1);
    expect(hasher.verified.map(([plaintext]) => plaintext)).toEqual(['a', 'b']);
    expect(hasher.verified[0]![1]).toBe(hasher.verified[1]![1]);
  });

  it('creates the decoy again after an overload', async () => {
    const hasher = new RecordingHasher();
    hasher.overloaded = true;
    await expect(hasher.verifyNothing('a')).rejects.toMatchObject({ code: 'unavailable' });
    hasher.overloaded = false;
    await expect(hasher.verifyNothing('a')).resolves.toBe(false);
  });
});
