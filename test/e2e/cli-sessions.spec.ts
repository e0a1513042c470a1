import { Ran, typedAt, untilEnded } from '../support/command-line';
import { TestService } from '../support/test-service';

interface Exported {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly actor: { readonly id: string; readonly username: string } | null;
}

describe('commands of sessions and the audit', () => {
  let service: TestService;

  beforeEach(async () => {
    service = await TestService.start();
  });

  afterEach(() => service.stop());

  const run = (line: string): Promise<Ran> => typedAt(service.database, line);

  async function data<T>(line: string): Promise<T> {
    const { code, out, err } = await run(`${line} --json`);
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as T;
  }

  async function exported(line: string): Promise<Exported[]> {
    const { code, out, err } = await run(line);
    expect([code, err]).toEqual([0, '']);
    return out
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text) as Exported);
  }

  const agesBy = (username: string, interval: string): Promise<unknown> =>
    service.query(
      `UPDATE session SET created_at = created_at - $2::interval
       WHERE user_id = (SELECT id FROM user_account WHERE username = $1)`,
      [username, interval],
    );

  describe('session revoke-all', () => {
    it('ends the sessions of all users, and refuses without a confirmation', async () => {
      const clients = [await service.signUp('cli_ann'), await service.signUp('cli_bob'), await service.admin()];
      expect((await run('session revoke-all')).code).toBe(1);
      for (const client of clients) expect((await client.get('/api/auth/me')).status).toBe(200);
      expect(await data('session revoke-all --yes')).toEqual({ users: 3, revoked: 3 });
      for (const client of clients) await untilEnded(client);
      expect(await data('session revoke-all --yes')).toEqual({ users: 0, revoked: 0 });
      const events = await service.query(
        `SELECT actor_name FROM audit_event WHERE action = 'session.revoke_all' AND target_type = 'user'`,
      );
      expect(events).toEqual(Array(3).fill({ actor_name: 'command line' }));
    });

    it('ends only the sessions of one user', async () => {
      const [ann, bob] = [await service.signUp('cli_ann'), await service.signUp('cli_bob')];
      const { out } = await run('session revoke-all --user cli_ann --yes');
      expect(out).toBe('Ended 1 sessions of cli_ann.\n');
      await untilEnded(ann);
      expect((await bob.get('/api/auth/me')).status).toBe(200);
    });

    it('keeps the sessions that began before the time', async () => {
      const [ann, bob] = [await service.signUp('cli_ann'), await service.signUp('cli_bob')];
      await agesBy('cli_bob', '2 hours');
      const since = new Date(Date.now() - 3_600_000).toISOString();
      expect(await data(`session revoke-all --user cli_bob --since ${since} --yes`)).toEqual({ users: 0, revoked: 0 });
      expect(await data(`session revoke-all --since ${since} --yes`)).toEqual({ users: 1, revoked: 1 });
      await untilEnded(ann);
      expect((await bob.get('/api/auth/me')).status).toBe(200);
      const [event] = await service.query<{ after: object }>(
        `SELECT after FROM audit_event WHERE action = 'session.revoke_all'`,
      );
      expect(event?.after).toEqual({ revoked: 1, since });
    });

    it('rejects an unknown user', async () => {
      expect(await run('session revoke-all --user nothing --yes')).toMatchObject({ code: 1, out: '' });
    });
  });

  describe('audit export', () => {
    it('prints the events of the filter, newest first, and audits the export', async () => {
      await run('user disable admin --yes');
      await service.register('cli_ann');
      await run('user disable cli_ann --yes');
      await run('user enable cli_ann');
      const updates = await exported('audit export --action user.update');
      expect(updates.map(({ actor }) => actor?.username)).toEqual(['command line', 'command line']);
      expect(updates.map(({ at }) => at)).toEqual(
        updates
          .map(({ at }) => at)
          .toSorted()
          .toReversed(),
      );

      const { id } = await data<{ id: string }>('user show cli_ann');
      expect(await exported(`audit export --target-id ${id} --target-type user --action user.update --json`)).toEqual(
        updates,
      );
      const actor = updates[0]?.actor?.id ?? '';
      const byOperator = await exported(`audit export --actor ${actor}`);
      expect(byOperator.map(({ action }) => action)).toContain('audit.export');
      expect(new Set(byOperator.map((event) => event.actor?.username))).toEqual(new Set(['command line']));
      const admin = await service.admin();
      const { body } = await admin.get<{ items: Exported[] }>(`/api/audit?actor_id=${actor}&action=user.update`);
      expect(body.items.map((event) => event.id)).toEqual(updates.map((event) => event.id));
    });

    it('bounds the export by time and by actor', async () => {
      const ann = await service.signUp('cli_ann');
      expect((await ann.post('/api/auth/logout')).status).toBeLessThan(300);
      const byAnn = await exported('audit export --actor cli_ann');
      expect(byAnn.length).toBeGreaterThan(0);
      const now = new Date(Date.now() + 60_000).toISOString();
      expect(await exported(`audit export --from ${now}`)).toEqual([]);
      expect(await exported(`audit export --actor cli_ann --to ${now}`)).toEqual(byAnn);
      expect(await run('audit export --actor nothing')).toMatchObject({ code: 1, out: '' });
    });
  });
});
