import { Injectable } from '@nestjs/common';
import { ImportedIdentitiesService } from '../oauth';
import { newId } from '../platform/crypto';
import { Transactions, violatedUnique } from '../platform/database';
import { SettingsReader } from '../platform/settings';
import { Actor } from '../rbac';
import { defaultRegion } from '../users';
import { Candidate, CandidateContext, candidateOf } from './candidate';
import { UnreadableFile } from './file-text';
import { ForeignEntry, ForeignSource, isSkipped } from './foreign-user';
import { ImportPlan, Verdict } from './import-plan';
import { ImportReport, ImportTotals, PrintLine } from './import-report';
import { ImportPlans, ImportWriterService, Written } from './import-writer.service';
import { ImportedMembershipsService } from './imported-memberships.service';
import { ImportedPasswordsService } from './imported-passwords.service';
import { ImportRepository } from './import.repository';

export interface ImportOrder {
  readonly source: ForeignSource;
  readonly path: string;
  /** Reports the result without writing it. */
  readonly dryRun: boolean;
  /** Creates the named roles without permissions, the named groups without roles, and organizations with members. */
  readonly withRoles: boolean;
  /**
   * Gives new users the roles of this service that their entries name, as far as `by` holds their permissions. Not
   * together with `withRoles`.
   */
  readonly givesRoles?: boolean;
  /** Must hold what the default role grants, which new accounts get. */
  readonly by: Actor;
  readonly print: PrintLine;
  /** Called while the import reads. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  readonly users: number;
  /** Of the file. */
  readonly bytes: number;
}

/** The plans of a dry run. */
interface Rehearsal extends ImportPlans {
  readonly plan: ImportPlan;
}

/** The number of entries that are planned and written in one transaction. */
const BATCH = 500;
/** A registration may take a username or contact between the check and the write. */
const MAX_ATTEMPTS = 3;

/**
 * Imports the users of another system in batches. Each batch commits, so a repeated import continues where an earlier
 * one stopped: it recognizes imported users by their ids in the other system.
 */
@Injectable()
export class AccountImportService {
  constructor(
    private readonly repository: ImportRepository,
    private readonly identities: ImportedIdentitiesService,
    private readonly passwords: ImportedPasswordsService,
    private readonly writer: ImportWriterService,
    private readonly memberships: ImportedMembershipsService,
    private readonly settings: SettingsReader,
    private readonly transactions: Transactions,
  ) {}

  /** Errors: `UnreadableFile`, `escalation_denied`, `default_role_unavailable`. */
  async run(order: ImportOrder): Promise<ImportTotals> {
    const report = new ImportReport(order.print);
    const context = await this.contextOf(order);
    // A dry run writes nothing that a later batch could find, so one plan covers the whole file.
    const rehearsal = order.dryRun ? this.newRehearsal() : undefined;
    let batch: Candidate[] = [];
    let bytes = 0;
    const onBytes = (more: number): void => {
      bytes += more;
      order.onProgress?.({ users: report.totals.read, bytes });
    };
    for await (const entry of order.source.read(order.path, onBytes)) {
      if (!order.dryRun) rejectUnreadable(order.path, entry);
      const candidate = isSkipped(entry) ? undefined : candidateOf(context, entry);
      if (candidate) batch.push(candidate);
      else {
        report.skipped(
          isSkipped(entry) ? entry : { ...entry, line: undefined },
          isSkipped(entry) ? entry.why : 'id_unusable',
        );
      }
      if (batch.length < BATCH) continue;
      await this.take(order, batch, report, rehearsal);
      batch = [];
    }
    await this.take(order, batch, report, rehearsal);
    return order.givesRoles ? { ...report.totals, roles_given: report.rolesGiven } : report.totals;
  }

  private async contextOf({ source }: ImportOrder): Promise<CandidateContext> {
    const places = await this.identities.places();
    return { source: source.name, places, defaultRegion: await this.settings.get(defaultRegion) };
  }

  private async take(
    order: ImportOrder,
    batch: readonly Candidate[],
    report: ImportReport,
    rehearsal: Rehearsal | undefined,
  ): Promise<void> {
    if (batch.length === 0) return;
    const { verdicts, notes, rolesGiven, rolesLeftOut } = rehearsal
      ? await this.rehearse(order, batch, rehearsal)
      : await this.write(order, batch);
    verdicts.forEach((verdict, place) => {
      report.evaluated(verdict, notes[place] ?? [], rolesLeftOut[place] ?? []);
      report.gave(rolesGiven[place] ?? []);
    });
  }

  private newRehearsal(): Rehearsal {
    return { plan: new ImportPlan(newId), memberships: this.memberships.newPlans(), taken: new Set() };
  }

  private async rehearse(order: ImportOrder, batch: readonly Candidate[], rehearsal: Rehearsal): Promise<Written> {
    return this.writer.rehearse(order, await this.plan(order, batch, rehearsal.plan), rehearsal);
  }

  private async plan({ source }: ImportOrder, batch: readonly Candidate[], plan: ImportPlan): Promise<Verdict[]> {
    const ids = batch.map(({ sourceId }) => sourceId);
    const known = await this.repository.findKnown(source.name, ids);
    const identities = await this.identities.find(batch.flatMap((candidate) => candidate.identities));
    plan.learn(known, await this.repository.findHolders(batch), identities);
    return batch.map((candidate) => plan.evaluate(candidate));
  }

  private async write(order: ImportOrder, batch: readonly Candidate[]): Promise<Written> {
    const ready = await this.passwords.prepare(order.source.name, batch);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transactions.run(async () => {
          const verdicts = await this.plan(order, ready, new ImportPlan(newId));
          return this.writer.write(order, verdicts);
        });
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || violatedUnique(error) === undefined) throw error;
      }
    }
  }
}

/** A dry run reports all such lines instead. */
function rejectUnreadable(path: string, entry: ForeignEntry): void {
  if (!isSkipped(entry) || entry.line === undefined) return;
  throw new UnreadableFile(
    `Line ${entry.line} of ${path} is not a JSON object. The users of earlier batches are imported. Mend the line and repeat the import; --dry-run names all such lines`,
  );
}
