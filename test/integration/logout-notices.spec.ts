import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { newId } from '../../src/platform/crypto';
import { AttemptResult } from '../../src/platform/outbound/deliveries';
import { joiningRepository, Transactions } from '../../src/platform/database';
import { BackchannelLogoutOutboxService } from '../../src/oauth/server/logout/backchannel-logout-outbox.service';
import { PendingLogoutNotice } from '../../src/oauth/server/storage/pending-logout-notice.entity';
import { LogoutNotice, LogoutNoticeRepository } from '../../src/oauth/server/storage/logout-notice.repository';
import { itOnServer } from '../support/service/on-server';
import { RecordingLog } from '../support/service/recording-log';
import { openTestDataSource } from '../support/service/test-data-source';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

const USER = '00000000-0000-7000-8000-000000000001';
const HELD = { limit: 5, limitOfClient: 2, seconds: 120, except: [] };

describe('LogoutNoticeRepository', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let transactions: Transactions;
  let notices: LogoutNoticeRepository;

  const repositoryOf = (joined: Transactions): LogoutNoticeRepository =>
    new LogoutNoticeRepository(joiningRepository(PendingLogoutNotice, dataSource, joined), joined);

  const addClient = (clientId: string, uri: string | null, enabled = true): Promise<unknown> =>
    database.query(
      `INSERT INTO oauth_client (id, client_id, name, redirect_uris, post_logout_redirect_uris, backchannel_logout_uri,
         origins, grant_types, scopes, is_public, enabled)
       VALUES ($1, $2, 'App', '[]', '[]', $3, '[]', '[]', '[]', true, $4)`,
      [newId(), clientId, uri, enabled],
    );

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openTestDataSource(database);
    transactions = new Transactions(dataSource, () => undefined);
    notices = repositoryOf(transactions);
    for (const name of ['one', 'two', 'three']) await addClient(name, 'https://app.example.com/logout');
    await addClient('silent', null);
    await addClient('disabled', 'https://app.example.com/logout', false);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  beforeEach(() => database.query('DELETE FROM logout_notice'));

  const add = (...clientIds: string[]): Promise<LogoutNotice[]> =>
    notices.add(
      clientIds.map((clientId, index) => ({ clientId, userId: USER, sid: `sid ${index}`, allSessions: false })),
      120,
    );
  const makeDue = (): Promise<unknown> =>
    database.query(`UPDATE logout_notice SET next_at = now() - interval '1 second'`);
  const clientsOf = (rows: readonly LogoutNotice[]): string[] => rows.map(({ clientId }) => clientId).sort();

  it('creates notices only for enabled clients with a back-channel URI', async () => {
    const made = await add('one', 'silent', 'disabled', 'gone', 'two');
    expect(made).toMatchObject([
      { clientId: 'one', userId: USER, sid: 'sid 0', attempts: 0 },
      { clientId: 'two', userId: USER, sid: 'sid 4', attempts: 0 },
    ]);
    expect(await database.query('SELECT client_id FROM logout_notice ORDER BY 1')).toHaveLength(2);
  });

  const minutesLeft = async (): Promise<unknown> =>
    database.query(
      `SELECT id, attempts, round(extract(epoch FROM next_at - now()) / 60)::int AS minutes FROM logout_notice
       ORDER BY client_id`,
    );
  const resultOf = (
    { id, attempts }: LogoutNotice,
    state: AttemptResult['state'],
    delaySeconds = 0,
  ): AttemptResult => ({
    ...{ id, state, delaySeconds, attempts: attempts + 1 },
    ...{ status: null, answer: null, error: null },
  });

  it('claims no held notice, and holds it for two minutes', async () => {
    const [made] = await add('one');
    expect(await notices.claim(HELD)).toEqual([]);
    await makeDue();
    expect(await notices.claim(HELD)).toEqual([made]);
    expect(await notices.claim(HELD)).toEqual([]);
    expect(await minutesLeft()).toEqual([{ id: made!.id, attempts: 0, minutes: 2 }]);
  });

  it('claims a few notices of each client at a time, so that no client delays the others', async () => {
    await add('one', 'one', 'one', 'one', 'two', 'three', 'three');
    await makeDue();
    expect(clientsOf(await notices.claim(HELD))).toEqual(['one', 'one', 'three', 'three', 'two']);
    expect(clientsOf(await notices.claim(HELD))).toEqual(['one', 'one']);
    expect(await notices.claim(HELD)).toEqual([]);
  });

  it('skips a client whose notices another claimant holds', async () => {
    await add('one', 'two');
    await makeDue();
    expect(clientsOf(await notices.claim({ ...HELD, except: ['one'] }))).toEqual(['two']);
    expect(clientsOf(await notices.claim(HELD))).toEqual(['one']);
  });

  it('deletes notices that are delivered or given up, and plans the next attempt of the others', async () => {
    const [one, two, three] = await add('one', 'two', 'three');
    await notices.settle([resultOf(one!, 'delivered'), resultOf(two!, 'pending', 300), resultOf(three!, 'failed')]);
    expect(await minutesLeft()).toEqual([{ id: two!.id, attempts: 1, minutes: 5 }]);
  });

  it('makes released notices available again', async () => {
    const [one] = await add('one', 'two');
    await notices.release([one!.id]);
    expect(clientsOf(await notices.claim(HELD))).toEqual(['one']);
  });

  it('deletes notices whose client is deleted', async () => {
    await add('one', 'two');
    await notices.deleteOfClient('two');
    expect(await database.query('SELECT client_id, sid FROM logout_notice')).toEqual([
      { client_id: 'one', sid: 'sid 0' },
    ]);
  });

  /** Simulates a deadlock with a statement that locks the rows in another order. The sequence survives the rollback. */
  async function withOneDeadlock(work: () => Promise<void>): Promise<void> {
    await database.query('CREATE SEQUENCE tries');
    await database.query(`CREATE FUNCTION deadlock() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('tries') = 1 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = 'deadlock_detected'; END IF;
        RETURN NULL;
      END $$`);
    await database.query('CREATE TRIGGER deadlock AFTER UPDATE OR DELETE ON logout_notice EXECUTE FUNCTION deadlock()');
    try {
      await work();
    } finally {
      await database.query('DROP FUNCTION deadlock CASCADE');
      await database.query('DROP SEQUENCE tries');
    }
  }

  it('stores results and releases notices also after a deadlock', async () => {
    const log = new RecordingLog();
    const outbox = new BackchannelLogoutOutboxService(notices, transactions, log);
    const [one, two] = await add('one', 'two');
    await withOneDeadlock(() => outbox.settle(resultOf(one!, 'delivered')));
    await withOneDeadlock(() => outbox.release([two!]));
    expect(log.lines).toEqual([]);
    expect(await minutesLeft()).toEqual([{ id: two!.id, attempts: 0, minutes: 0 }]);
  });

  itOnServer('lets one of several concurrent instances claim a notice without blocking the others', async () => {
    await add('one', 'two', 'three');
    await makeDue();
    await transactions.run(async () => {
      expect(await notices.claim(HELD)).toHaveLength(3);
      const other = repositoryOf(new Transactions(dataSource, () => undefined));
      expect(await other.claim(HELD)).toEqual([]);
    });
  });
});
