/** One call of `query()`. Without values it may contain several statements; the result is that of the last one. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly rowMode?: 'array';
}

/** The result as `pg` returns it. `rowCount` and `command` are null if PostgreSQL reports none. */
export interface EmbeddedResult {
  rows: unknown[];
  rowCount: number | null;
  command: string | null;
  fields: { name: string; dataTypeID: number }[];
}
