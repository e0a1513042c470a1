import { AuditEvent, AuditLogRepository } from '../../../src/audit';
import { newId } from '../../../src/platform/crypto';
import { TestService } from '../service/test-service';

/** Replaces the `find` method of the repository that the export reads from. */
export function countReads(service: TestService): {
  readonly count: number;
  endless(): void;
  failAfter(reads: number): void;
  restore(): void;
} {
  const repository = service.app.get(AuditLogRepository);
  const find = jest.spyOn(repository, 'find');
  const rows = (count: number): AuditEvent[] =>
    Array.from(
      { length: count },
      () => ({ id: newId(), at: new Date(), action: 'x', reason: 'x'.repeat(2_000) }) as AuditEvent,
    );
  return {
    get count() {
      return find.mock.calls.length;
    },
    endless: () => {
      find.mockImplementation(async (_filter, _after, limit) => rows(limit));
    },
    failAfter: (reads) => {
      let left = reads;
      find.mockImplementation(async (_filter, _after, limit) => {
        if (left-- > 0) return rows(limit);
        throw new Error('staged');
      });
    },
    restore: () => {
      find.mockRestore();
    },
  };
}
