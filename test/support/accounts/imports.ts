import { join } from 'node:path';
import { AccountImportService, foreignSources, ImportLine, ImportTotals } from '../../../src/import-export';
import { OPERATOR } from '../../../src/platform/context';
import { TestService } from '../service/test-service';

export const exportOf = (name: string): string => join(__dirname, '../../fixtures/imports', name);

export interface Imported {
  readonly totals: ImportTotals;
  readonly lines: readonly ImportLine[];
}

/** Imports a file in the process of the service. The command uses a separate process. */
export async function importInto(
  service: TestService,
  from: string,
  path: string,
  { dryRun = false, withRoles = false } = {},
): Promise<Imported> {
  const source = foreignSources.find(({ name }) => name === from);
  if (!source) throw new Error(`There is no source ${from}`);
  const lines: ImportLine[] = [];
  const print = (line: ImportLine): void => {
    lines.push(line);
  };
  const order = { source, path, dryRun, withRoles, by: OPERATOR, print };
  const totals = await service.app.get(AccountImportService).run(order);
  return { totals, lines };
}

/** All data that an import may change. */
export const stateOf = async (service: TestService): Promise<unknown> =>
  (
    await service.query(`SELECT (SELECT json_agg(u ORDER BY id) FROM user_account u) AS users,
      (SELECT json_agg(i ORDER BY source, source_id) FROM imported_user i) AS links,
      (SELECT json_agg(r ORDER BY user_id, role_id) FROM user_role r) AS members,
      (SELECT json_agg(r ORDER BY id) FROM role r) AS roles,
      (SELECT json_agg(g ORDER BY id) FROM user_group g) AS groups,
      (SELECT json_agg(m ORDER BY user_id, group_id) FROM user_group_member m) AS joined,
      (SELECT json_agg(o ORDER BY id) FROM organization o) AS organizations,
      (SELECT json_agg(m ORDER BY organization_id, user_id) FROM organization_member m) AS organization_members,
      (SELECT json_agg(d ORDER BY organization_id, domain) FROM organization_domain d) AS domains,
      (SELECT count(*) FROM audit_event) AS events`)
  )[0];

export const storedUser = async (
  service: TestService,
  username: string,
): Promise<Record<string, unknown> | undefined> =>
  (await service.query('SELECT * FROM user_account WHERE username = $1', [username]))[0];
