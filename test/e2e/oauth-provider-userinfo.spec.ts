import { expectProblem } from '../support/service/expect-problem';
import { userWith } from '../support/accounts/holders';
import { ProviderSimulator } from '../support/provider-simulator';
import { logInThrough } from '../support/oauth/simulated-login';
import { Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Provider {
  readonly id: string;
  readonly name: string;
}

const PATH = '/api/oauth/provider';

let service: TestService;
let simulator: ProviderSimulator;
let admin: TestClient;

withService(async (started) => {
  service = started;
  simulator = await ProviderSimulator.start();
  admin = await service.admin();
});

afterAll(() => simulator.stop());

let count = 0;
const made = async (body: object): Promise<Provider> => {
  const { status, body: provider } = await admin.post<Provider>(PATH, { ...body, name: `p${++count}`, label: 'P' });
  expect(status).toBe(201);
  return provider;
};
const change = async (id: string, body: object): Promise<void> => {
  expect((await admin.patch(`${PATH}/${id}`, body)).status).toBe(200);
};

describe('userinfo_url null', () => {
  const read = async (id: string): Promise<unknown> => {
    const { body } = await admin.get<Record<string, unknown>>(`${PATH}/${id}`);
    return [body['userinfo_url'], body['without_userinfo']];
  };
  const requested = async (name: string): Promise<boolean> => {
    simulator.asked.length = 0;
    expect((await logInThrough(service.client(), simulator, name)).status).toBe(200);
    return simulator.asked.some(({ path }) => path === '/oidc/userinfo');
  };

  it('means none with OpenID Connect, also when it is created, until discovery is chosen again', async () => {
    for (const given of [{ userinfo_url: null }, { userinfo_url: '' }]) {
      const { id, name } = await made({ ...simulator.configuration('oidc'), auto_register: true, ...given });
      expect(await read(id)).toEqual([null, given.userinfo_url === null]);
      expect(await requested(name)).toBe(given.userinfo_url !== null);
      await change(id, { userinfo_url: null });
      await change(id, { label: 'Renamed' });
      expect([await read(id), await requested(name)]).toEqual([[null, true], false]);
      await change(id, { userinfo_url: '' });
      expect([await read(id), await requested(name)]).toEqual([[null, false], true]);
    }
  });

  it('requires all permissions, like an address', async () => {
    const { client } = await userWith(service, admin, 'limited', 'oauth_provider:update');
    const { id } = await made(simulator.configuration('oidc'));
    expectProblem(await client.patch<Problem>(`${PATH}/${id}`, { userinfo_url: null }), 403, 'escalation_denied');
  });

  it('means the address of a template that has one', async () => {
    const { id } = await made({ template: 'github', client_id: 'id', userinfo_url: 'https://github.example/u' });
    await change(id, { userinfo_url: null });
    expect(await read(id)).toEqual(['https://api.github.com/user', false]);
  });
});
