import { createUser } from '../support/accounts/admin-users';
import { eventsOfOperator } from '../support/documents/command-audit';
import { Ran, typedAt, typedOn } from '../support/service/command-line';
import { createRole } from '../support/accounts/holders';
import { basic, post } from '../support/oauth/oauth';
import { addMember, createOrganization } from '../support/organizations/organizations';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface ShownClient {
  readonly id: string;
  readonly client_id: string;
  readonly client_secret?: string;
  readonly name: string;
  readonly owner_id: string;
  readonly scopes: string[];
  readonly is_public: boolean;
}

interface ClientList {
  readonly items: ShownClient[];
  readonly next_cursor: string | null;
}

describe('commands of OAuth clients', () => {
  let service: TestService;
  let annId: string;

  withService(async (started) => {
    service = started;
    annId = (await createUser(await service.admin(), 'cli_ann')).id;
  });

  const run = (line: string, answer?: string): Promise<Ran> =>
    typedOn(service, line, answer === undefined ? {} : { answer });
  const runApart = (line: string): Promise<Ran> => typedAt(service.database, line);

  async function data<T>(line: string): Promise<T> {
    const { code, out, err } = await run(`${line} --json`);
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as T;
  }

  /** The status of a client's request for a token. */
  async function statusOf(client: ShownClient, secret: string): Promise<number> {
    const authorization = basic({ ...client, client_secret: secret });
    return (
      await post(service, '/api/oauth/token', { grant_type: 'client_credentials', scope: 'openid' }, authorization)
    ).status;
  }

  const MACHINE = 'client create Job --owner cli_ann --grant-type client_credentials';

  it('registers clients for a user and lists them page by page', async () => {
    const made = await data<ShownClient>(
      'client create Reports --owner cli_ann --redirect-uri https://a.example.com/cb --redirect-uri https://b.example.com/cb --scope openid --scope email',
    );
    expect(made).toMatchObject({
      name: 'Reports',
      owner_id: annId,
      scopes: ['openid', 'email'],
      redirect_uris: ['https://a.example.com/cb', 'https://b.example.com/cb'],
    });
    expect(await eventsOfOperator(service, made.id)).toMatchObject([{ action: 'oauth_client.create' }]);

    const { out } = await runApart(
      'client create App --owner cli_ann --public --redirect-uri https://a.example.com/cb',
    );
    expect(out).toMatch(/^Created App \([0-9a-f-]{36}\)\.\nclient_id: \S+\n$/);
    const first = await data<ClientList>('client list --limit 1');
    expect(first.items.map(({ name }) => name)).toEqual(['App']);
    const second = await data<ClientList>(`client list --cursor ${first.next_cursor}`);
    expect(second).toMatchObject({ items: [{ name: 'Reports' }], next_cursor: null });
    expect(second.items[0]).not.toHaveProperty('client_secret');
    expect((await runApart('client list')).out).toContain(`${made.id}\t${made.client_id}\tReports\tenabled\n`);
  });

  it('prints a secret once, and replaces it', async () => {
    const made = await data<ShownClient>(MACHINE);
    expect((await run(`client rotate ${made.client_id}`)).code).toBe(1);
    expect((await run(`client rotate ${made.client_id}`, 'no')).code).toBe(1);
    const kept = await data<ShownClient>(`client rotate ${made.client_id} --overlap 600 --yes`);
    expect(kept).toMatchObject({ id: made.id, overlap_seconds: 600 });
    const { out } = await runApart(`client rotate ${made.id} --yes`);
    const [, last = ''] = /^Secret, shown only now: (\S+)\n$/.exec(out) ?? [];
    const secrets = [made.client_secret!, kept.client_secret!, last];
    const statuses = await Promise.all(secrets.map((secret) => statusOf(made, secret)));
    expect(statuses).toEqual([401, 401, 200]);
    const events = await eventsOfOperator(service, made.id);
    expect(events.map(({ action, after }) => [action, after?.['overlap_seconds']])).toEqual([
      ['oauth_client.create', undefined],
      ['oauth_client.rotate_secret', 600],
      ['oauth_client.rotate_secret', 0],
    ]);
  });

  it('gives a client no permission that its owner lacks, and audits the attempt', async () => {
    const { code, out, err } = await run(`${MACHINE} --scope role:read`);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe('cli_ann does not hold every permission among the scopes.\n');
    const scopesOfAll = (await data<ClientList>('client list')).items.map(({ scopes }) => scopes);
    expect(scopesOfAll.flat()).not.toContain('role:read');
    const [event] = await service.query(
      `SELECT actor_name, outcome FROM audit_event WHERE action = 'permission.escalate'`,
    );
    expect(event).toEqual({ actor_name: 'command line', outcome: 'failure' });
  });

  it('ties a client to an organization that its owner may change, and lists those of it', async () => {
    const admin = await service.admin();
    const acme = await createOrganization(admin, 'acme');
    const tied = `${MACHINE} --organization acme`;
    const denied =
      'cli_ann does not hold every permission among the scopes, or may not tie clients to the organization.';
    expect(await run(tied)).toMatchObject({ code: 1, err: `${denied}\n` });
    await addMember(admin, acme, { id: annId }, await createRole(admin, 'manager', 'organization:update'));
    const made = await data<ShownClient>(tied);
    expect(made).toMatchObject({ organization_id: acme.id, owner_id: annId });
    for (const name of ['acme', acme.id]) {
      expect((await data<ClientList>(`client list --organization ${name}`)).items.map(({ id }) => id)).toEqual([
        made.id,
      ]);
    }
  });

  it.each([
    ['client list --organization nothing', 1, 'There is no organization "nothing".'],
    ['client create Job --owner nothing --grant-type client_credentials', 1, 'There is no user "nothing".'],
    ['client create Job --owner cli_ann --redirect-uri http://x.example.com', 2, '  --redirect-uri: '],
    ['client create Job --owner cli_ann', 2, '  --redirect-uri: '],
    [`${MACHINE} --scope magic`, 2, '  --scope: '],
    [`${MACHINE} --public`, 2, '  --grant-type: '],
    ['client rotate nothing --yes', 1, 'There is no client "nothing".'],
  ])('ends "%s" with %d', async (line, expected, reason) => {
    const { code, out, err } = await run(line);
    expect([code, out]).toEqual([expected, '']);
    expect(err).toContain(reason);
  });
});
