import { AuditDigestRepository } from '../../../src/audit';
import type { ChainReport } from '../../../src/audit/chain';
import { AuditChainService } from '../../../src/audit/chain/audit-chain.service';
import { Ran, typedOn } from '../service/command-line';
import { eventually, TestService } from '../service/test-service';

export const chainOf = ({ app }: TestService): AuditChainService => app.get(AuditChainService, { strict: false });

/** Until all events have a root: transactions of other tests on the same server hold them back. */
export async function extendChain(service: TestService): Promise<void> {
  const chain = chainOf(service);
  const digests = service.app.get(AuditDigestRepository, { strict: false });
  await eventually(
    async () => {
      await chain.extend();
      return digests.waitingSeconds((await chain.end())!);
    },
    (seconds) => seconds === 0,
    20,
  );
}

/** Runs `audit verify`. */
export async function verifyChain(
  service: TestService,
  options = '',
  input = '',
): Promise<Ran & { report: ChainReport }> {
  const ran = await typedOn(service, `audit verify --json ${options}`, { input });
  return { ...ran, report: JSON.parse(ran.out) as ChainReport };
}

/** Writes to a table as a superuser could, past its triggers. */
export async function tamper(
  service: TestService,
  table: string,
  sql: string,
  parameters: unknown[] = [],
): Promise<void> {
  await service.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await service.query(sql, parameters);
  await service.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}
