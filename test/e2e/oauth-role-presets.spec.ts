import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { createRole, UserWithGrants, userWith } from '../support/accounts/holders';
import { authorize, basic, begin, post, register, relyingParty } from '../support/oauth/oauth';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const guide = readFileSync(join(__dirname, '../../docs/guides/application-roles.md'), 'utf8');

interface Preset {
  readonly redirect_uris: string[];
  readonly scopes: string[];
  readonly claims: { readonly filter: string }[];
}

/** The registration under a heading of the guide. */
function presetOf(product: string): Preset {
  const [, section = ''] = guide.split(`\n### ${product}\n`);
  const [, json = ''] = /```json\n([\s\S]+?)```/.exec(section) ?? [];
  return JSON.parse(json) as Preset;
}

/** The claims that the product reads in the ID token, and at userinfo, for a user with the role. */
interface Documented {
  readonly product: string;
  readonly role: string;
  readonly idToken?: object;
  readonly userinfo?: object;
}

const EMAIL = 'ann@example.com';
const PROFILE = { preferred_username: 'ann', name: 'ann' };
const groups = (role: string): object => ({ groups: [role] });

const documented: Documented[] = [
  {
    product: 'Grafana',
    role: 'grafana-editor',
    idToken: groups('grafana-editor'),
    userinfo: { preferred_username: 'ann', email: EMAIL, groups: ['grafana-editor'] },
  },
  {
    product: 'GitLab',
    role: 'gitlab-admin',
    idToken: { sub: expect.any(String) as string },
    userinfo: { ...PROFILE, email: EMAIL, groups: ['gitlab-admin'] },
  },
  { product: 'Nextcloud', role: 'cloud-staff', idToken: { ...PROFILE, email: EMAIL, groups: ['cloud-staff'] } },
  {
    product: 'Jenkins',
    role: 'jenkins-admin',
    idToken: { ...PROFILE, email: EMAIL, groups: ['jenkins-admin'] },
    userinfo: { ...PROFILE, email: EMAIL, groups: ['jenkins-admin'] },
  },
  { product: 'Argo CD', role: 'argocd-admin', idToken: { email: EMAIL, groups: ['argocd-admin'] } },
  {
    product: 'Harbor',
    role: 'harbor-admin',
    idToken: { ...PROFILE, email: EMAIL, email_verified: true, groups: ['harbor-admin'] },
    userinfo: groups('harbor-admin'),
  },
  { product: 'Kubernetes', role: 'k8s-admin', idToken: { preferred_username: 'ann', groups: ['k8s-admin'] } },
  {
    product: 'MinIO',
    role: 'minio-readers',
    idToken: { policy: ['minio-readers'] },
    userinfo: { policy: ['minio-readers'] },
  },
];

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  ann = await userWith(service, admin, 'ann');
  await admin.patch(`/api/user/${ann.id}`, { email: EMAIL, email_verified: true });
  const made = await Promise.all(documented.map(({ role }) => createRole(admin, role)));
  await admin.post(`/api/user/${ann.id}/roles`, { role_ids: made.map(({ id }) => id) });
});

describe('the guide for roles in applications', () => {
  it('has a test for each of its presets', () => {
    const [, presets = ''] = guide.split('\n## Presets\n');
    const products = Array.from(presets.matchAll(/^### (.+)$/gm), ([, product]) => product);
    expect(products).toEqual(documented.map(({ product }) => product));
  });

  it.each(documented)('registers $product so that it gets the claims that it documents', async (expected) => {
    const preset = presetOf(expected.product);
    const client = await register(admin, preset);
    const [redirect_uri = ''] = preset.redirect_uris;
    const asked = { redirect_uri, scope: preset.scopes.join(' ') };
    const { url, verifier } = await begin(await relyingParty(() => service, client), asked);
    const code = (await authorize(ann.client, url)).searchParams.get('code') ?? '';
    // openid-client would add a slash to a redirect URI without a path.
    const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier };
    const identified = client.client_secret === undefined ? { ...form, client_id: client.client_id } : form;
    const authentication = client.client_secret === undefined ? {} : basic(client);
    const { body: tokens } = await post(service, '/api/oauth/token', identified, authentication);
    expect(decodeJwt(String(tokens['id_token']))).toMatchObject(expected.idToken ?? {});
    const headers = { authorization: `Bearer ${String(tokens['access_token'])}` };
    const { body } = await service.client().get('/api/oauth/userinfo', { headers });
    expect(body).toMatchObject(expected.userinfo ?? {});
  });
});
