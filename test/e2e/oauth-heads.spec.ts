import { calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client';
import { CALLBACK, register } from '../support/oauth/oauth';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;

withService((started) => {
  service = started;
});

describe('HEAD on routes where GET has an effect', () => {
  it('returns 404 at the authorization endpoint, where GET would issue a code', async () => {
    const admin = await service.admin();
    const { client_id } = await register(admin, { first_party: true });
    const query = new URLSearchParams({
      client_id,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: await calculatePKCECodeChallenge(randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
    });
    const address = `/api/oauth/authorize?${query.toString()}`;
    const answer = await admin.send('HEAD', address);
    expect([answer.status, answer.headers['location']]).toEqual([404, undefined]);
    expect(await service.query(`SELECT 1 FROM oauth_artifact WHERE model = 'AuthorizationCode'`)).toEqual([]);
    expect(String((await admin.get(address)).headers['location'])).toContain('code=');
  });

  it.each([
    '/api/oauth/authorize/abcdefghijklmnopqrstu',
    '/api/oauth/logout',
    '/api/oauth/login/any',
    '/api/oauth/callback/any?code=c&state=s',
  ])('returns 404 at %s', async (url) => {
    const answer = await service.app.inject({ method: 'HEAD', url });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([404, undefined]);
  });
});

it('lets caches store the keys briefly at every address', async () => {
  for (const address of ['/api/oauth/jwks', '/.well-known/jwks.json']) {
    expect((await service.client().get(address)).headers['cache-control']).toBe('public, max-age=30');
  }
});
