import { MfaCleanupJob } from '../../src/mfa/mfa-cleanup.job';
import { signUpEnrolled } from '../support/accounts/second-factors';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('an unconfirmed authenticator app', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  it('is deleted in time, and no confirmed one', async () => {
    await signUpEnrolled(service, 'confirmed');
    const [late, waiting] = [await service.signUp('late'), await service.signUp('waiting')];
    expect((await late.post('/api/auth/mfa/totp')).status).toBe(201);
    await service.query(`UPDATE mfa_totp SET created_at = now() - interval '11 minutes'`);
    expect((await waiting.post('/api/auth/mfa/totp')).status).toBe(201);
    await service.app.get(MfaCleanupJob, { strict: false }).clean();
    const left = await service.query(
      'SELECT username FROM mfa_totp JOIN user_account ON user_account.id = user_id ORDER BY username',
    );
    expect(left).toEqual([{ username: 'confirmed' }, { username: 'waiting' }]);
  });
});
