import type { PGlite, PGliteOptions } from '@electric-sql/pglite' with { 'resolution-mode': 'import' };
import { EnvironmentError } from '../../config';
import { pgParsers, toParameter } from './pg-values';
import { EmbeddedResult, Statement } from './statement';

/** Error codes of `import()`, and of `require()` in the bundle of the container image. */
const NOT_INSTALLED = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/** Errors: `EnvironmentError` if the library is not installed, as in the container image. */
async function loadLibrary(): Promise<{ PGlite: typeof PGlite }> {
  try {
    return await import('@electric-sql/pglite');
  } catch (error) {
    if (!NOT_INSTALLED.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new EnvironmentError([
      {
        variable: 'DATABASE_URL',
        problem: 'is missing, and the embedded database is not part of this installation',
        allowed:
          'postgres://user:password@host:port/database, or in development nothing, after npm install @electric-sql/pglite',
      },
    ]);
  }
}

/** A PGlite instance with the parameters, values, results and errors of `pg`. */
export class PgliteSession {
  private constructor(private readonly pglite: PGlite) {}

  static async open(options: PGliteOptions): Promise<PgliteSession> {
    const { PGlite } = await loadLibrary();
    const pglite = new PGlite(options);
    await pglite.waitReady;
    // Replaces all converters: PGlite's own (bigint as number, bytea as Uint8Array) differ from those of pg.
    pglite.parsers = pgParsers();
    pglite.serializers = {};
    return new PgliteSession(pglite);
  }

  async execute(statement: Statement): Promise<EmbeddedResult> {
    try {
      const result = await this.send(statement);
      const { rows, fields, rowCount, command } = result ?? { rows: [], fields: [] };
      return { rows, fields, rowCount: rowCount ?? null, command: command ?? null };
    } catch (error) {
      throw withoutParameters(error);
    }
  }

  /** True after BEGIN, also if the transaction has failed and needs a ROLLBACK. */
  isInTransaction(): boolean {
    return this.pglite.isInTransaction();
  }

  dump(): Promise<Blob> {
    return this.pglite.dumpDataDir('none');
  }

  close(): Promise<void> {
    return this.pglite.close();
  }

  private async send({ text, values, rowMode }: Statement): ReturnType<PgliteSession['last']> {
    const options = rowMode ? { rowMode } : {};
    if (!values?.length) return this.last(text, options);
    return this.pglite.query<Record<string, unknown>>(text, values.map(toParameter), options);
  }

  private async last(text: string, options: { rowMode?: 'array' }) {
    const results = await this.pglite.exec(text, options);
    return results.at(-1);
  }
}

/** Unlike pg, PGlite adds query and parameters to its errors. They may contain secrets and must not reach a log. */
function withoutParameters(error: unknown): unknown {
  if (error instanceof Error) {
    for (const field of ['query', 'params', 'queryOptions']) Reflect.deleteProperty(error, field);
  }
  return error;
}
