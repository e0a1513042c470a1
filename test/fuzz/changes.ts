import type { TestService } from '../support/service/test-service';

export interface Change {
  readonly table: string;
  readonly act: 'INSERT' | 'UPDATE' | 'DELETE';
  /** Changed columns of an update. */
  readonly columns: readonly string[] | null;
}

const RECORDER = `
  CREATE TABLE fuzz_change (name text NOT NULL, act text NOT NULL, columns text[]);
  CREATE FUNCTION fuzz_record() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE changed text[];
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      SELECT array_agg(now.key) INTO changed FROM jsonb_each(to_jsonb(NEW)) AS now
        WHERE now.value IS DISTINCT FROM to_jsonb(OLD) -> now.key;
      IF changed IS NULL THEN RETURN NULL; END IF;
    END IF;
    INSERT INTO fuzz_change VALUES (TG_TABLE_NAME, TG_OP, changed);
    RETURN NULL;
  END $$;
  DO $$
  DECLARE one text;
  BEGIN
    FOR one IN SELECT tablename FROM pg_tables
      WHERE schemaname = 'public' AND tablename NOT LIKE 'audit%' AND tablename <> 'fuzz_change'
    LOOP
      EXECUTE format('CREATE TRIGGER fuzz AFTER INSERT OR UPDATE OR DELETE ON %I
        FOR EACH ROW EXECUTE FUNCTION fuzz_record()', one);
    END LOOP;
  END $$;`;

/** Reads committed row changes of all tables except the audit, which also records rejected requests. */
export class Changes {
  private constructor(private readonly service: TestService) {}

  static async record(service: TestService): Promise<Changes> {
    for (const statement of RECORDER.split(/(?<=;)\n {2}(?=CREATE FUNCTION|DO )/)) await service.query(statement);
    return new Changes(service);
  }

  /** Changes since the last call. */
  async taken(): Promise<Change[]> {
    return this.service.query<Change & Record<string, unknown>>(
      'DELETE FROM fuzz_change RETURNING name AS "table", act, columns',
    );
  }
}
