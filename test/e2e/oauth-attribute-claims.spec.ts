import { expectProblem } from '../support/service/expect-problem';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import {
  begin,
  CALLBACK,
  logInAt,
  interactionAt,
  register,
  Registered,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { raceRounds } from '../support/service/race-rounds';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const SCOPES = ['openid', 'permissions'];

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  ann = await userWith(service, admin, 'ann');
});

const bodyWith = (claims: object[]): object => ({ name: 'App', redirect_uris: [CALLBACK], scopes: SCOPES, claims });
const client = (claims: object[], more: object = {}): Promise<Registered> =>
  register(admin, { scopes: SCOPES, claims, ...more });
const partyOf = (registered: Registered): ReturnType<typeof relyingParty> => relyingParty(() => service, registered);

describe('claims from attributes that operators define', () => {
  const claimOf = (value: string): object => ({ name: `my_${value}`, from: 'attribute', value, in: ['id_token'] });
  let defined = 0;

  async function define(more: object = {}): Promise<string> {
    const name = `field_${defined++}`;
    const body = { name, type: 'text', label: { en: `Field ${defined}`, zh: `字段 ${defined}` }, ...more };
    const { status, text } = await admin.post('/api/attribute', body);
    if (status !== 201) throw new Error(text);
    return name;
  }
  const saveOwner = (name: string, owner: string): Promise<Answer<Problem>> =>
    admin.patch<Problem>(`/api/attribute/${name}`, { owner });

  it('have the value with its type, and are left out without one', async () => {
    const values: [object, unknown][] = [
      [{ owner: 'read' }, 'Berlin'],
      [{ type: 'number' }, 7.5],
      [{ type: 'boolean' }, false],
      [{ type: 'date' }, '2001-02-03'],
      [{ type: 'text_list' }, ['a', 'b']],
    ];
    const names = await Promise.all(values.map(([more]) => define(more)));
    const attributes = Object.fromEntries(names.map((name, at) => [name, values[at]![1]]));
    expect((await admin.patch(`/api/user/${ann.id}`, { attributes })).status).toBe(200);
    const unset = await define();
    const registered = await client([...names, unset].map(claimOf), { first_party: true });
    const claims = (await logInAt(await partyOf(registered), ann.client, { scope: 'openid' })).claims()!;
    expect(claims).toMatchObject(Object.fromEntries(names.map((name) => [`my_${name}`, attributes[name]])));
    expect(claims).not.toHaveProperty(`my_${unset}`);
  });

  it('are named by their label at the consent', async () => {
    const name = await define({ label: { en: 'Cost centre', zh: '成本中心' } });
    const registered = await client([{ ...claimOf(name), in: ['userinfo'] }]);
    const { url } = await begin(await partyOf(registered), { scope: 'openid permissions' });
    const { body } = await interactionAt(ann.client, await redirectOf(ann.client, url));
    expect(body.scopes).toContainEqual({
      name: 'permissions',
      description: 'See your profile field “Cost centre”',
    });
  });

  it('are never from what the owner writes, judged from both sides', async () => {
    const [own, read] = [await define({ owner: 'write' }), await define()];
    const answer = await admin.post<Problem>('/api/oauth/client', bodyWith([claimOf(read), claimOf(own)]));
    expectProblem(answer, 409, 'attribute_trusted');
    expect(answer.body.errors?.map(({ field }) => field)).toEqual(['claims[1].value']);
    const registered = await client([claimOf(read)]);
    expectProblem(await saveOwner(read, 'write'), 409, 'attribute_trusted');
    expectProblem(await admin.delete<Problem>(`/api/attribute/${read}`), 409, 'attribute_trusted');
    expect((await saveOwner(read, 'read')).status).toBe(200);
    await admin.patch(`/api/oauth/client/${registered.id}`, { claims: [] });
    expect((await saveOwner(read, 'write')).status).toBe(200);
  });

  it('are not from what its owner writes when both are saved at once', async () => {
    for (let round = 0; round < raceRounds(10); round += 1) {
      const name = await define();
      const answers = await Promise.all([
        admin.post<Problem>('/api/oauth/client', bodyWith([claimOf(name)])),
        saveOwner(name, 'write'),
      ]);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
    }
  });

  it('are refused without such an attribute', async () => {
    for (const name of ['shoe_size', 'constructor', '']) {
      const answer = await admin.post<Problem>('/api/oauth/client', bodyWith([claimOf(name)]));
      expectProblem(answer, 400, 'validation_failed');
    }
  });

  it('need an administrator of users, also toward a client that reads them', async () => {
    const name = await define();
    const developer = await userWith(service, admin, 'dev', 'oauth_client:create');
    const own = await register(developer.client);
    const path = `/api/oauth/client/${own.id}`;
    expectProblem(await developer.client.patch<Problem>(path, { claims: [claimOf(name)] }), 403, 'escalation_denied');
    await admin.patch(`/api/user/${developer.id}/permissions`, { add: [{ permission_id: 'user:admin' }] });
    expect((await developer.client.patch(path, { claims: [claimOf(name)] })).status).toBe(200);
    await admin.patch(`/api/user/${developer.id}/permissions`, { remove: ['user:admin'] });
    expect((await developer.client.patch(path, { name: 'Renamed', claims: [claimOf(name)] })).status).toBe(200);
  });
});
