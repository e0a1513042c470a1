import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { EmbeddedDatabase } from './embedded-database';
import { createEmbeddedPool, EmbeddedPool } from './embedded-pool';
import { LeaseLimits } from './session-queue';

@Entity({ name: 'counter' })
class Counter {
  @PrimaryColumn('int') id: number;
  @Column('int') value: number;
}

@Entity({ name: 'sample' })
class Sample {
  @PrimaryColumn('uuid') id: string;
  @Column('bigint') big: string;
  @Column('bytea') bytes: Buffer;
  @Column('timestamptz') at: Date;
  @Column('jsonb') data: { list: (string | number | null)[]; quote: string };
  @Column('text', { array: true }) tags: string[];
  @Column('uuid', { array: true }) links: string[];
  @Column('boolean') flag: boolean;
  @Column('numeric', { precision: 20, scale: 4 }) amount: string;
  @Column('date') day: string;
  @Column('text', { nullable: true }) nothing: string | null;
}

describe('createEmbeddedPool', () => {
  let database: EmbeddedDatabase;
  let source: DataSource;

  const connect = (limits: Partial<LeaseLimits> = {}) =>
    new DataSource({
      type: 'postgres',
      driver: { Pool: createEmbeddedPool(database, limits) },
      installExtensions: false,
      entities: [Counter, Sample],
    }).initialize();

  beforeAll(async () => {
    database = await EmbeddedDatabase.open();
    source = await connect();
    await source.query(`
      CREATE TABLE counter (id int CONSTRAINT counter_pk PRIMARY KEY, value int NOT NULL);
      CREATE TABLE sample (id uuid PRIMARY KEY, big bigint, bytes bytea, at timestamptz, data jsonb, tags text[],
        links uuid[], flag boolean, amount numeric(20, 4), day date, nothing text);
    `);
  });
  beforeEach(() => source.query('TRUNCATE counter, sample'));
  afterAll(async () => {
    await source.destroy();
    await database.close();
  });

  it('serializes ten parallel transactions that lock the same row', async () => {
    await source.query('INSERT INTO counter VALUES (1, 0)');
    const raise = () =>
      source.transaction(async (manager) => {
        const row = await manager.findOneOrFail(Counter, { where: { id: 1 }, lock: { mode: 'pessimistic_write' } });
        await manager.update(Counter, { id: 1 }, { value: row.value + 1 });
      });
    await Promise.all(Array.from({ length: 10 }, raise));
    expect(await source.manager.findOneByOrFail(Counter, { id: 1 })).toEqual({ id: 1, value: 10 });
  });

  it('rolls back the five of ten parallel transactions that throw', async () => {
    const insert = (id: number) =>
      source.transaction(async (manager) => {
        await manager.insert(Counter, { id, value: id });
        if (id % 2 === 0) throw new Error('undo');
      });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, id) => insert(id)));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(5);
    expect(await source.manager.count(Counter)).toBe(5);
  });

  it('explains the timeout of a query outside the running transaction', async () => {
    const hasty = await connect({ waitMs: 20 });
    const around = hasty.transaction(() => hasty.query('SELECT 1'));
    await expect(around).rejects.toMatchObject({
      code: 'EMBEDDED_BUSY',
      message: expect.stringMatching(
        /has one session; a query outside the running transaction waits for it.*after 20 ms/,
      ) as unknown,
    });
    expect(await hasty.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await hasty.destroy();
  });

  it('shares the session between two data sources and ends only one of them', async () => {
    const other = await connect();
    await Promise.all(
      [source, other].map((each, id) => each.transaction((tx) => tx.insert(Counter, { id, value: 0 }))),
    );
    await other.destroy();
    expect(await source.manager.count(Counter)).toBe(2);
  });

  it('returns stored values in the types of pg', async () => {
    const sample = Object.assign(new Sample(), {
      id: '0190a5f0-0000-7000-8000-000000000001',
      big: '9007199254740993',
      bytes: Buffer.from([0, 1, 0x5c, 0xff]),
      at: new Date('2026-03-04T05:06:07.089Z'),
      data: { list: [1, 'two', null], quote: `'"\\` },
      tags: ['plain', 'with, comma', '"quoted"', '\\', '', 'NULL'],
      links: ['0190a5f0-0000-7000-8000-000000000002'],
      flag: false,
      amount: '1234567890123456.7890',
      day: '2026-03-04',
      nothing: null,
    });
    await source.manager.insert(Sample, sample);
    const stored = await source.manager.findOneByOrFail(Sample, { id: sample.id, flag: false, at: sample.at });
    expect(stored).toEqual(sample);
    expect(Buffer.isBuffer(stored.bytes)).toBe(true);
  });

  it('returns the results of raw queries as pg does', async () => {
    const pool = new (createEmbeddedPool(database))();
    const { rows, fields } = await pool.query(
      `SELECT count(*) AS count, 1.50 AS price, DATE '2026-03-04' AS day, ARRAY[1, NULL] AS list, $1::text[] AS words`,
      [['a', null]],
    );
    expect(rows).toEqual([
      { count: '1', price: '1.50', day: new Date(2026, 2, 4), list: [1, null], words: ['a', null] },
    ]);
    expect(fields[0]).toEqual({ name: 'count', dataTypeID: 20 });
    expect(await pool.query('')).toEqual({ rows: [], fields: [], rowCount: null, command: null });
    expect(await pool.query({ text: 'SELECT $1::int AS a', values: [1], rowMode: 'array' })).toMatchObject({
      rows: [[1]],
      command: 'SELECT',
    });
    await pool.query('SET TimeZone = UTC; INSERT INTO counter VALUES (1, 1), (2, 2)');
    expect(await pool.query('UPDATE counter SET value = 0; DELETE FROM counter WHERE id = 1')).toMatchObject({
      command: 'DELETE',
      rowCount: 1,
    });
  });

  it('reports how many rows an update changed', async () => {
    await source.query('INSERT INTO counter VALUES (1, 0), (2, 0)');
    expect(await source.manager.update(Counter, { value: 0 }, { value: 5 })).toMatchObject({ affected: 2 });
  });

  it('reports code and constraint of a violation without the parameters', async () => {
    await source.manager.insert(Counter, { id: 1, value: 4711 });
    const error: unknown = await source.manager.insert(Counter, { id: 1, value: 4711 }).catch((e: unknown) => e);
    expect(error).toMatchObject({
      name: 'QueryFailedError',
      driverError: {
        code: '23505',
        constraint: 'counter_pk',
        table: 'counter',
        detail: 'Key (id)=(1) already exists.',
      },
    });
    expect((error as { driverError: object }).driverError).not.toHaveProperty('params');
  });

  describe('connections', () => {
    let pool: EmbeddedPool;
    beforeEach(() => {
      pool = new (createEmbeddedPool(database, { waitMs: 20 }))();
    });

    it('ignores a second release while another caller has the connection', async () => {
      const first = await pool.connect();
      first.release();
      const second = await pool.connect();
      first.release();
      await expect(pool.connect()).rejects.toMatchObject({ code: 'EMBEDDED_BUSY' });
      second.release();
    });

    it('rolls back a transaction on release, even a failed one', async () => {
      const first = await pool.connect();
      await first.query('BEGIN');
      await first.query('INSERT INTO counter VALUES (1, 1)');
      await expect(first.query('SELECT nonsense')).rejects.toMatchObject({ code: '42703' });
      first.release();
      expect((await pool.query('SELECT * FROM counter')).rows).toEqual([]);
    });

    it('supports callbacks', async () => {
      const answers = await new Promise((resolve, reject) => {
        pool.connect((error, client, release) => {
          if (error) reject(error);
          client!.query('SELECT $1::int AS a', [7], (failure, result) => {
            release!();
            client!.query('SELECT 1', (late) => {
              resolve([failure, result?.rows, late?.message]);
            });
          });
        });
      });
      expect(answers).toEqual([null, [{ a: 7 }], 'This connection was released; connect again.']);
    });

    it('ends the pool when the last connection is released', async () => {
      const client = await pool.connect();
      let ended = false;
      const ending = pool.end().then(() => (ended = true));
      await expect(pool.connect()).rejects.toThrow('Cannot use a pool after calling end on the pool');
      expect(ended).toBe(false);
      client.release();
      expect(await ending).toBe(true);
      await expect(pool.end()).rejects.toThrow('more than once');
    });
  });
});
