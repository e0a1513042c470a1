import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineChild } from '../../../../test/support/servers/embedded/child';
import { compileEmbedded, CompiledFolder } from '../../../../test/support/servers/embedded/compile';
import { EmbeddedDatabase } from './embedded-database';
import { createEmbeddedPool } from './embedded-pool';

describe('EmbeddedDatabase', () => {
  let compiled: CompiledFolder;
  let dataDir: string;

  const poolOf = (database: EmbeddedDatabase) => new (createEmbeddedPool(database))();

  beforeAll(() => {
    compiled = compileEmbedded();
  });
  afterAll(() => {
    compiled.remove();
  });
  beforeEach(() => {
    dataDir = join(compiled.folder, 'data');
  });
  afterEach(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('keeps every acknowledged row after kill -9', async () => {
    const writer = LineChild.start('row-writer.cjs', compiled.frontDoor, dataDir);
    let acknowledged = 0;
    while (acknowledged < 500) acknowledged = Number(await writer.nextLine());
    await writer.kill();
    acknowledged = Math.max(acknowledged, ...writer.restOfLines().map(Number));

    const database = await EmbeddedDatabase.open({ dataDir });
    const { rows } = await poolOf(database).query('SELECT count(*)::int AS rows, max(id) AS last FROM acknowledged');
    await database.close();
    const [{ rows: count, last }] = rows as [{ rows: number; last: number }];
    expect(last).toBe(count);
    expect(count - acknowledged).toBeGreaterThanOrEqual(0);
    // At most one row is committed but not yet printed.
    expect(count - acknowledged).toBeLessThanOrEqual(1);
  });

  it('starts from an image on disk and removes the rest of a crashed first start', async () => {
    const memory = await EmbeddedDatabase.open();
    await poolOf(memory).query("CREATE TABLE imaged AS SELECT 'kept' AS word");
    const image = await memory.dump();
    await memory.close();

    mkdirSync(join(dataDir, 'pgdata.new'), { recursive: true });
    writeFileSync(join(dataDir, 'pgdata.new', 'PG_VERSION'), 'half a database');
    const onDisk = await EmbeddedDatabase.open({ dataDir, image });
    expect((await poolOf(onDisk).query('SELECT word FROM imaged')).rows).toEqual([{ word: 'kept' }]);
    expect(existsSync(join(dataDir, 'pgdata.new'))).toBe(false);
    await onDisk.close();
    await onDisk.close();
    await expect(poolOf(onDisk).query('SELECT 1')).rejects.toThrow('The embedded database is closed.');
  });
});
