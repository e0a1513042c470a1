import { codeFor, known, Person, withCodes } from '../support/accounts/codes';
import { expectProblem } from '../support/service/expect-problem';
import { beginBinding, comeBack, FakeProvider, FakeProviders, roundTrip } from '../support/oauth/fake-providers';
import { enrolTotp } from '../support/accounts/second-factors';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';

const NEW_PASSWORD = 'another horse entirely';

interface ResetAnswer extends Problem {
  readonly identities?: readonly {
    readonly provider: string;
    readonly label: string;
    readonly subject_hint: string;
    readonly linked_at: string;
    readonly unlinked: boolean;
  }[];
}

let service: TestService;
let providers: FakeProviders;

withCodes((started) => {
  service = started;
  providers = new FakeProviders(service);
});

async function link(client: TestClient, subject: string): Promise<FakeProvider> {
  const provider = providers.add();
  provider.person(subject);
  expect((await comeBack(client, provider, await beginBinding(client, provider))).status).toBe(200);
  return provider;
}

async function reset(email: string, more: object = {}): Promise<Answer<ResetAnswer>> {
  const code = await codeFor(service.client(), 'reset_password', email);
  const body = { channel: 'email', target: email, code, new_password: NEW_PASSWORD, ...more };
  return service.client().post<ResetAnswer>('/api/auth/password/reset', body);
}

const said = ({ status, body }: Answer<ResetAnswer | undefined>): unknown[] => [
  status,
  ...(body?.identities ?? []).map(({ subject_hint: hint, unlinked }) => [hint, unlinked]),
];

const linkedOf = async ({ username }: Person): Promise<string[]> => {
  const client = await service.logIn(username, NEW_PASSWORD);
  const { body } = await client.get<{ items: { subject_hint: string }[] }>('/api/auth/identities');
  return body.items.map(({ subject_hint: hint }) => hint);
};

describe('password reset with identities linked since the last reset', () => {
  it('lists them, and keeps them without a request to unlink', async () => {
    const ann = await known(service);
    const provider = await link(await service.logIn(ann.username), 'first of ann');
    const answer = await reset(ann.email);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      identities: [
        {
          provider: provider.provider.name,
          label: provider.provider.label,
          subject_hint: 'fi…nn',
          linked_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
          unlinked: false,
        },
      ],
    });
    expect(answer.setCookies).toEqual([]);
    expect(await linkedOf(ann)).toEqual(['fi…nn']);
  });

  it('unlinks only these on request, so that they cannot log in, and notifies the owner', async () => {
    const ann = await known(service);
    await link(await service.logIn(ann.username), 'owner');
    expect(said(await reset(ann.email))).toEqual([200, ['ow…er', false]]);
    const foreign = await link(await service.logIn(ann.username, NEW_PASSWORD), 'thief');
    expect((await roundTrip(service.client(), foreign)).body.status).toBe('logged_in');
    expect(said(await reset(ann.email, { unlink_identities: true }))).toEqual([200, ['th…ef', true]]);
    expect((await roundTrip(service.client(), foreign)).body.status).not.toBe('logged_in');
    expect(await linkedOf(ann)).toEqual(['ow…er']);
    const unlinked = await service.query<{ before: object; after: object; actor_name: string }>(
      `SELECT actor_name, before, after FROM audit_event WHERE action = 'identity.unlink' ORDER BY id DESC LIMIT 1`,
    );
    expect(unlinked).toEqual([
      {
        actor_name: ann.username,
        before: { provider: foreign.provider.name, subject_hint: 'th…ef', user_id: expect.any(String) as string },
        after: { reason: 'password.reset' },
      },
    ]);
  });

  it('lists nothing when there are none, whatever the request says', async () => {
    const ann = await known(service);
    expect(said(await reset(ann.email, { unlink_identities: true }))).toEqual([204]);
    await link(await service.logIn(ann.username, NEW_PASSWORD), 'kept');
    expect(said(await reset(ann.email))).toEqual([200, ['ke…pt', false]]);
    expect(said(await reset(ann.email, { unlink_identities: true }))).toEqual([204]);
    expect(await linkedOf(ann)).toEqual(['ke…pt']);
  });

  it('keeps them for a user with a second factor, which a code alone does not verify', async () => {
    const ann = await known(service);
    const client = await service.logIn(ann.username);
    await link(client, 'enrolled');
    await enrolTotp(client);
    expect(said(await reset(ann.email, { unlink_identities: true }))).toEqual([200, ['en…ed', false]]);
    expect(await service.query(`SELECT 1 FROM user_identity WHERE subject_hint = 'en…ed'`)).toHaveLength(1);
  });

  it('lists and unlinks nothing with a wrong code', async () => {
    const ann = await known(service);
    await link(await service.logIn(ann.username), 'guessed');
    const answer = await reset(ann.email, { code: '000000', unlink_identities: true });
    expectProblem(answer, 400, 'code_invalid');
    expect(answer.body.identities).toBeUndefined();
    await service.logIn(ann.username, PASSWORD);
    expect(await service.query(`SELECT 1 FROM user_identity WHERE subject_hint = 'gu…ed'`)).toHaveLength(1);
  });
});
