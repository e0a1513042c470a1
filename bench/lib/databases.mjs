import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Creates the temporary databases of the benchmark on one PostgreSQL server, and drops them. */
export class Databases {
  #made = [];

  constructor(server) {
    this.server = server;
  }

  /** @returns the URL of a new, empty database. */
  async create() {
    const name = `castellan_bench_${randomBytes(6).toString('hex')}`;
    await this.#run(`CREATE DATABASE ${name}`);
    this.#made.push(name);
    const url = new URL(this.server);
    url.pathname = `/${name}`;
    return url.toString();
  }

  async version() {
    const { rows } = await this.#run('SHOW server_version');
    return rows[0].server_version;
  }

  async dropAll() {
    for (const name of this.#made.splice(0)) await this.#run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }

  async #run(sql) {
    const client = new pg.Client(this.server);
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  }
}
