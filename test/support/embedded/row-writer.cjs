// Usage: node row-writer.cjs <front door> <data folder>. Inserts rows and prints each number once it is acknowledged.
const { writeSync } = require('node:fs');
const { createEmbeddedPool, EmbeddedDatabase } = require(process.argv[2]);

async function main() {
  const database = await EmbeddedDatabase.open({ dataDir: process.argv[3] });
  const pool = new (createEmbeddedPool(database))();
  await pool.query('CREATE TABLE acknowledged (id int PRIMARY KEY)');
  for (let id = 1; ; id += 1) {
    await pool.query('INSERT INTO acknowledged VALUES ($1)', [id]);
    // Synchronous: a number that was printed was acknowledged, whatever happens next.
    writeSync(1, `${id}\n`);
  }
}

void main();
