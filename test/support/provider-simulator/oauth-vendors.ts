import { Asked, Answered, bearerOf, CLIENT_ID, CLIENT_SECRET, Desk, json, sendBack, Vendor } from './exchange';

const credentials = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };

function spendForm(desk: Desk, { form }: Asked): ReturnType<Desk['spend']> {
  if (form['client_secret'] !== CLIENT_SECRET || form['grant_type'] !== 'authorization_code') return undefined;
  return desk.spend(form['code'], {
    redirectUri: form['redirect_uri'],
    verifier: form['code_verifier'],
    clientId: form['client_id'],
  });
}

/**
 * https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps and
 * https://docs.github.com/rest/users/emails: forms unless JSON is asked for, errors with status 200.
 */
export const github: Vendor = {
  template: 'github',
  configuration: (base) => ({
    ...credentials,
    authorize_url: `${base}/github/login/oauth/authorize`,
    token_url: `${base}/github/login/oauth/access_token`,
    userinfo_url: `${base}/github/user`,
  }),
  routes: (desk) => ({
    'GET /github/login/oauth/authorize': (asked) => sendBack(desk, asked),
    'POST /github/login/oauth/access_token': (asked) => {
      const grant = spendForm(desk, asked);
      const answer: Record<string, string> = grant
        ? { access_token: desk.token(grant), scope: 'read:user,user:email', token_type: 'bearer' }
        : { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' };
      if (asked.headers.accept?.includes('json')) return json(answer);
      return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(answer).toString() };
    },
    'GET /github/user': (asked) => {
      const grant = desk.whose(bearerOf(asked));
      // https://docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api#user-agent
      if (!asked.headers['user-agent']) return { status: 403, body: 'Request forbidden by administrative rules.' };
      if (!grant) return json({ message: 'Bad credentials' }, 401);
      const { id, name, avatar } = grant.person;
      return json({ login: 'ann', id: Number(id), avatar_url: avatar, type: 'User', name, email: null });
    },
    'GET /github/user/emails': (asked) => {
      const grant = desk.whose(bearerOf(asked));
      if (!grant) return json({ message: 'Bad credentials' }, 401);
      const { email, emailVerified } = grant.person;
      return json([
        { email: 'other@idp.example', verified: true, primary: false, visibility: null },
        { email, verified: emailVerified, primary: true, visibility: 'private' },
      ]);
    },
  }),
};

/** RFC 6749 §4.1 with a profile document. */
export const oauth2: Vendor = {
  template: 'oauth2',
  configuration: (base) => ({
    ...credentials,
    authorize_url: `${base}/oauth2/authorize`,
    token_url: `${base}/oauth2/token`,
    userinfo_url: `${base}/oauth2/me`,
    scopes: ['profile'],
  }),
  routes: (desk) => ({
    'GET /oauth2/authorize': (asked) => sendBack(desk, asked),
    'POST /oauth2/token': (asked) => {
      const grant = spendForm(desk, asked);
      if (!grant) return json({ error: 'invalid_grant' }, 400);
      return json({ access_token: desk.token(grant), token_type: 'Bearer', expires_in: 3600 });
    },
    'GET /oauth2/me': (asked) => {
      const grant = desk.whose(bearerOf(asked));
      if (!grant) return json({ error: 'invalid_token' }, 401);
      const { id, name, email, emailVerified, avatar } = grant.person;
      return json({ sub: id, name, email, email_verified: emailVerified, picture: avatar });
    },
  }),
};

/** https://docs.gitlab.com/integration/openid_connect_provider/#shared-information */
export const gitlab: Vendor = {
  template: 'gitlab',
  configuration: (base) => ({ ...credentials, issuer: `${base}/gitlab` }),
  routes: (desk) => ({
    'GET /gitlab/oauth/authorize': (asked) => sendBack(desk, asked),
    'POST /gitlab/oauth/token': (asked) => {
      const grant = spendForm(desk, asked);
      if (!grant) return json({ error: 'invalid_grant' }, 400);
      return json({ access_token: desk.token(grant), token_type: 'Bearer', expires_in: 7200 });
    },
    'GET /gitlab/oauth/userinfo': (asked) => {
      const grant = desk.whose(bearerOf(asked));
      if (!grant) return json({ error: 'invalid_token' }, 401);
      const { id, name, email, emailVerified, avatar } = grant.person;
      return json({ sub: id, name, nickname: 'ann', email, email_verified: emailVerified, picture: avatar });
    },
  }),
};

/** https://gitee.com/api/v5/oauth_doc and https://gitee.com/api/v5/swagger#/getV5Emails */
export const gitee: Vendor = {
  template: 'gitee',
  configuration: (base) => ({
    ...credentials,
    authorize_url: `${base}/gitee/oauth/authorize`,
    token_url: `${base}/gitee/oauth/token`,
    userinfo_url: `${base}/gitee/api/v5/user`,
  }),
  routes: (desk) => ({
    'GET /gitee/oauth/authorize': (asked) => sendBack(desk, asked),
    'POST /gitee/oauth/token': (asked) => {
      const grant = spendForm(desk, asked);
      if (!grant) return json({ error: 'invalid_grant', error_description: '授权方式无效' }, 401);
      return json({
        access_token: desk.token(grant),
        token_type: 'bearer',
        expires_in: 86400,
        scope: 'user_info emails',
      });
    },
    'GET /gitee/api/v5/user': (asked) => {
      const grant = desk.whose(bearerOf(asked));
      if (!grant) return json({ message: '401 Unauthorized' }, 401);
      const { id, name, avatar } = grant.person;
      return json({ id: Number(id), login: 'ann', name, avatar_url: avatar, email: null });
    },
    'GET /gitee/api/v5/emails': (asked): Answered => {
      const grant = desk.whose(bearerOf(asked));
      if (!grant) return json({ message: '401 Unauthorized' }, 401);
      const { email, emailVerified } = grant.person;
      return json([{ email, state: emailVerified ? 'confirmed' : 'unconfirmed', scope: ['primary', 'committer'] }]);
    },
  }),
};
