import { DomainEvents } from '../../src/platform/jobs/events';
import { sessionsEnded } from '../../src/session/store/session.events';
import { Ran, typedAt, typedOn, untilEnded } from '../support/service/command-line';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Exported {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly actor: { readonly id: string; readonly username: string } | null;
}

describe('commands of sessions and the audit', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  const run = (line: string): Promise<Ran> => typedOn(service, line);
  const runApart = (line: string): Promise<Ran> => typedAt(service.database, line);

  beforeEach(() => run('session revoke-all --yes'));

  async function data<T>(line: string, runner = run): Promise<T> {
    const { code, out, err } = await runner(`${line} --json`);
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as T;
  }

  async function exported(line: string, runner = run): Promise<Exported[]> {
    const { code, out, err } = await runner(line);
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
      const names = ['cli_all_1', 'cli_all_2'];
      const clients = [await service.signUp(names[0]!), await service.signUp(names[1]!), await service.admin()];
      expect((await run('session revoke-all')).code).toBe(1);
      for (const client of clients) expect((await client.get('/api/auth/me')).status).toBe(200);
      expect(await data('session revoke-all --yes', runApart)).toEqual({ users: 3, revoked: 3 });
      for (const client of clients) await untilEnded(client);
      expect(await data('session revoke-all --yes')).toEqual({ users: 0, revoked: 0 });
      const events = await service.query(
        `SELECT username, actor_name FROM audit_event JOIN user_account ON user_account.id::text = target_id
         WHERE action = 'session.revoke_all' AND target_type = 'user' AND username = ANY ($1) ORDER BY username`,
        [names],
      );
      expect(events).toEqual(names.map((username) => ({ username, actor_name: 'command line' })));
    });

    it('ends only the sessions of one user', async () => {
      const [ann, bob] = [await service.signUp('cli_ann'), await service.signUp('cli_bob')];
      const { out } = await runApart('session revoke-all --user cli_ann --yes');
      expect(out).toBe('Ended 1 sessions of cli_ann.\n');
      await untilEnded(ann);
      expect((await bob.get('/api/auth/me')).status).toBe(200);
    });

    it('keeps the sessions that began before the time', async () => {
      const [ann, bob] = [await service.signUp('cli_since_1'), await service.signUp('cli_since_2')];
      await agesBy('cli_since_2', '2 hours');
      const since = new Date(Date.now() - 3_600_000).toISOString();
      const ofOne = await data(`session revoke-all --user cli_since_2 --since ${since} --yes`);
      expect(ofOne).toEqual({ users: 0, revoked: 0 });
      const published = jest.spyOn(service.app.get(DomainEvents, { strict: false }), 'publish');
      expect(await data(`session revoke-all --since ${since} --yes`)).toEqual({ users: 1, revoked: 1 });
      await untilEnded(ann);
      expect((await bob.get('/api/auth/me')).status).toBe(200);
      const [event] = await service.query<{ after: { session_ids: string[] } }>(
        `SELECT after FROM audit_event JOIN user_account ON user_account.id::text = target_id
         WHERE action = 'session.revoke_all' AND username = 'cli_since_1'`,
      );
      expect(event?.after).toEqual({ revoked: 1, since, session_ids: [expect.any(String)] });
      const ids = event?.after.session_ids;
      expect(published).toHaveBeenCalledWith(sessionsEnded, expect.objectContaining({ ids }));
      published.mockRestore();
    });

    it('rejects an unknown user', async () => {
      expect(await run('session revoke-all --user nothing --yes')).toMatchObject({ code: 1, out: '' });
    });
  });

  describe('audit export', () => {
    it('prints the events of the filter, newest first, and audits the export', async () => {
      await run('user disable admin --yes');
      await service.register('cli_audited');
      await run('user disable cli_audited --yes');
      await run('user enable cli_audited');
      const updates = await exported('audit export --action user.update', runApart);
      expect(updates.map(({ actor }) => actor?.username)).toEqual(['command line', 'command line']);
      expect(updates.map(({ at }) => at)).toEqual(
        updates
          .map(({ at }) => at)
          .toSorted()
          .toReversed(),
      );

      const { id } = await data<{ id: string }>('user show cli_audited');
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
      const ann = await service.signUp('cli_actor');
      expect((await ann.post('/api/auth/logout')).status).toBeLessThan(300);
      const byAnn = await exported('audit export --actor cli_actor');
      expect(byAnn.length).toBeGreaterThan(0);
      const now = new Date(Date.now() + 60_000).toISOString();
      expect(await exported(`audit export --from ${now}`)).toEqual([]);
      expect(await exported(`audit export --actor cli_actor --to ${now}`)).toEqual(byAnn);
      expect(await run('audit export --actor nothing')).toMatchObject({ code: 1, out: '' });
    });
  });
});
