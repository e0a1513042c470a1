import { createHash, generateKeyPairSync, KeyObject } from 'node:crypto';
import { exportJWK, jwtVerify, SignJWT } from 'jose';
import { Answered, Asked, bearerOf, CLIENT_ID, CLIENT_SECRET, Desk, Grant, json, sendBack, Vendor } from './exchange';

const KEY_ID = 'key-1';
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Signs any claims, so that tests can also simulate false ones. */
export function signIdToken(
  claims: Readonly<Record<string, unknown>>,
  { key = keys.privateKey, kid = KEY_ID, alg = 'RS256' }: { key?: KeyObject; kid?: string; alg?: string } = {},
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(key);
}

const now = (): number => Math.floor(Date.now() / 1_000);

async function jwks(): Promise<Answered> {
  return json({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }] });
}

export function claimsOf(grant: Grant, issuer: string): Record<string, unknown> {
  const { id, name, email, emailVerified, avatar } = grant.person;
  const times = { iat: now(), exp: now() + 3600 };
  const person = { sub: id, name, email, email_verified: emailVerified, picture: avatar };
  return {
    iss: issuer,
    aud: grant.clientId,
    ...times,
    ...(grant.nonce !== undefined && { nonce: grant.nonce }),
    ...person,
  };
}

function spend(desk: Desk, { form, headers }: Asked): Grant | undefined {
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1];
  const [id, secret] = basic
    ? Buffer.from(basic, 'base64')
        .toString('utf8')
        .split(':')
        .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    : [form['client_id'], form['client_secret']];
  if (secret !== CLIENT_SECRET) return undefined;
  return desk.spend(form['code'], { redirectUri: form['redirect_uri'], verifier: form['code_verifier'], clientId: id });
}

interface Shape {
  readonly template: string;
  readonly path: string;
  readonly issuer: (base: string) => string;
  readonly document?: Readonly<Record<string, unknown>>;
  readonly claims?: (claims: Record<string, unknown>) => Record<string, unknown>;
  readonly configuration?: (base: string) => Readonly<Record<string, unknown>>;
}

/** OpenID Connect Discovery §4, Core §3.1 and §5.3. */
function openId({ template, path, issuer, document = {}, claims = (all) => all, configuration }: Shape): Vendor {
  const at = (base: string): string => `${base}${path}`;
  return {
    template,
    configuration: (base) => ({
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      issuer: at(base),
      ...configuration?.(base),
    }),
    routes: (desk) => ({
      [`GET ${path}/.well-known/openid-configuration`]: () =>
        json({
          issuer: issuer(desk.base()),
          authorization_endpoint: `${at(desk.base())}/authorize`,
          token_endpoint: `${at(desk.base())}/token`,
          userinfo_endpoint: `${at(desk.base())}/userinfo`,
          jwks_uri: `${at(desk.base())}/keys`,
          token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
          ...document,
        }),
      [`GET ${path}/authorize`]: (asked) => {
        const answer = sendBack(desk, asked);
        const back = new URL(answer.headers?.['location'] ?? '');
        back.searchParams.set('iss', issuer(desk.base()));
        return { ...answer, headers: { location: back.href } };
      },
      [`POST ${path}/token`]: async (asked) => {
        const grant = spend(desk, asked);
        if (!grant) return json({ error: 'invalid_grant' }, 400);
        const idToken = await signIdToken(claims(claimsOf(grant, issuer(desk.base()))));
        return json({ access_token: desk.token(grant), token_type: 'Bearer', expires_in: 3600, id_token: idToken });
      },
      [`GET ${path}/userinfo`]: (asked) => {
        const grant = desk.whose(bearerOf(asked));
        if (!grant) return json({ error: 'invalid_token' }, 401);
        const { sub, name, email, email_verified, picture } = claimsOf(grant, '');
        return json({ sub, name, email, email_verified, picture });
      },
      [`GET ${path}/keys`]: () => jwks(),
    }),
  };
}

export const oidc = openId({
  template: 'oidc',
  path: '/oidc',
  issuer: (base) => `${base}/oidc`,
  document: { authorization_response_iss_parameter_supported: true },
});

/** https://developers.google.com/identity/openid-connect/openid-connect#obtainuserinfo */
export const google = openId({
  template: 'google',
  path: '/google',
  issuer: (base) => `${base}/google`,
  configuration: (base) => ({
    authorize_url: `${base}/google/authorize`,
    token_url: `${base}/google/token`,
    userinfo_url: `${base}/google/userinfo`,
  }),
});

export const TENANT = '9122040d-6c67-4c5b-b112-36a304b66dad';

/**
 * https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference: the issuer of `common` has a
 * placeholder for the tenant.
 */
export const microsoft = openId({
  template: 'microsoft',
  path: '/common/v2.0',
  issuer: (base) => `${base}/{tenantid}/v2.0`,
  claims: ({ iss, sub, ...rest }) => ({
    ...rest,
    iss: String(iss).replace('{tenantid}', TENANT),
    tid: TENANT,
    oid: `00000000-0000-0000-0000-00000000${String(sub)}`,
    sub: `pairwise-${String(sub)}`,
  }),
  configuration: (base) => ({
    authorize_url: `${base}/common/v2.0/authorize`,
    token_url: `${base}/common/v2.0/token`,
  }),
});

const appleKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const TEAM = 'TEAM123456';
const APPLE_KEY_ID = 'KEY1234567';
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens and
 * https://developer.apple.com/documentation/signinwithapplejs/incorporating-sign-in-with-apple-into-other-platforms:
 * form POST, the user's name only at the first consent, a JWT as client secret, "true" as text.
 */
export const apple: Vendor = {
  template: 'apple',
  configuration: (base) => ({
    client_id: CLIENT_ID,
    client_secret: appleKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issuer: `${base}/apple`,
    authorize_url: `${base}/apple/auth/authorize`,
    token_url: `${base}/apple/auth/token`,
    params: { team_id: TEAM, key_id: APPLE_KEY_ID },
  }),
  routes: (desk) => {
    const met = new Set<string>();
    return {
      'GET /apple/.well-known/openid-configuration': () =>
        json({
          issuer: `${desk.base()}/apple`,
          authorization_endpoint: `${desk.base()}/apple/auth/authorize`,
          token_endpoint: `${desk.base()}/apple/auth/token`,
          jwks_uri: `${desk.base()}/apple/auth/keys`,
          token_endpoint_auth_methods_supported: ['client_secret_post'],
        }),
      'GET /apple/auth/authorize': (asked) => {
        if (asked.query['response_mode'] !== 'form_post') {
          return json(
            { error: 'invalid_request: response_mode must be form_post when name or email scope is requested' },
            400,
          );
        }
        const { id, name, email } = desk.person();
        const fields: Record<string, string> = {
          code: desk.consent(asked, asked.query['client_id']),
          state: asked.query['state'] ?? '',
          ...(!met.has(id) && { user: JSON.stringify({ name: { firstName: name, lastName: 'A.' }, email }) }),
        };
        met.add(id);
        const inputs = Object.entries(fields).map(
          ([field, value]) => `<input type="hidden" name="${field}" value="${escape(value)}">`,
        );
        const action = escape(asked.query['redirect_uri'] ?? '');
        return {
          type: 'text/html',
          body: `<form method="post" action="${action}">${inputs.join('')}<button>Continue</button></form>`,
        };
      },
      'POST /apple/auth/token': async ({ form }) => {
        const secret = await jwtVerify(form['client_secret'] ?? '', appleKey.publicKey, {
          algorithms: ['ES256'],
          issuer: TEAM,
          subject: CLIENT_ID,
          audience: `${desk.base()}/apple`,
        }).catch(() => undefined);
        const life = (secret?.payload.exp ?? Infinity) - now();
        if (secret?.protectedHeader.kid !== APPLE_KEY_ID || life > 15_777_000) {
          return json({ error: 'invalid_client' }, 400);
        }
        const grant = desk.spend(form['code'], { redirectUri: form['redirect_uri'], clientId: form['client_id'] });
        if (!grant) return json({ error: 'invalid_grant' }, 400);
        const { name: _name, picture: _picture, email_verified, ...claims } = claimsOf(grant, `${desk.base()}/apple`);
        const idToken = await signIdToken({
          ...claims,
          email_verified: String(email_verified),
          is_private_email: 'false',
        });
        return json({ access_token: desk.token(grant), token_type: 'Bearer', expires_in: 3600, id_token: idToken });
      },
      'GET /apple/auth/keys': () => jwks(),
    };
  },
};

/** RFC 7636 §4.6. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
