// Usage: node row-writer.cjs <entry module> <data folder>. Inserts rows and prints each number once it is acknowledged.
const { writeSync } = require('node:fs');
const { createEmbeddedPool, EmbeddedDatabase } = require(process.argv[2]);

async function main() {
  const database = await EmbeddedDatabase.open({ dataDir: process.argv[3] });
  const pool = new (createEmbeddedPool(database))();
  await pool.query('CREATE TABLE acknowledged (id int PRIMARY KEY)');
  for (let id = 1; ; id += 1) {
    await pool.query('INSERT INTO acknowledged VALUES ($1)', [id]);
    // Written synchronously, so that a printed number was acknowledged even when the process is killed.
    writeSync(1, `${id}\n`);
  }
}

void main();
