import { AuditExportQueryDto, AuditLogService } from '../audit';
import { AuditVerificationService, ChainFault, ChainReport, ShorterRetention } from '../audit/chain';
import { checkInput } from '../platform/http/input';
import { isId, presentMembers } from '../platform/util';
import { Command, CommandError, Invocation } from './command';
import { flag, isGiven, textOf, textOption, timeOption } from './option';
import { asLine, columns, print } from './output';
import { findUser } from './targets';

async function actorOf(invocation: Invocation): Promise<string | undefined> {
  const text = textOf(invocation, 'actor');
  // An id is not looked up, because the audit log keeps actors who are deleted.
  if (text === undefined || isId(text)) return text;
  return (await findUser(invocation.service, text)).user.id;
}

const exportAudit: Command = {
  name: 'audit export',
  summary: 'Print the audit log, newest first, one JSON object per line with or without --json',
  example: 'audit export --action user.delete --from 2026-03-01T00:00:00Z',
  printsData: true,
  needsKeys: false,
  options: {
    actor: textOption('USER', 'Only actions of this user, also a deleted one by id', { field: 'actor_id' }),
    action: textOption('NAME', 'Only this action, such as setting.update'),
    'target-type': textOption('TYPE', 'Only actions on this type of target, such as role'),
    'target-id': textOption('ID', 'Only actions on the target with this id'),
    from: timeOption('Only from this time on'),
    to: timeOption('Only before this time'),
  },
  async run(invocation) {
    const { service, terminal } = invocation;
    const query = checkInput(
      AuditExportQueryDto,
      presentMembers({
        actor_id: await actorOf(invocation),
        action: textOf(invocation, 'action'),
        target_type: textOf(invocation, 'target-type'),
        target_id: textOf(invocation, 'target-id'),
        from: textOf(invocation, 'from'),
        to: textOf(invocation, 'to'),
      }),
    );
    for await (const lines of await service.get(AuditLogService).export(query, 'whole')) {
      if (terminal.isOver) return;
      terminal.write(String(lines));
    }
  },
};

const timeRange = {
  from: timeOption('Only roots that were made from this time on'),
  to: timeOption('Only roots that were made before this time'),
};

function rangeOf(invocation: Invocation): { readonly from: Date | undefined; readonly to: Date | undefined } {
  const [from, to] = [textOf(invocation, 'from'), textOf(invocation, 'to')];
  return { from: from === undefined ? undefined : new Date(from), to: to === undefined ? undefined : new Date(to) };
}

const printRoots: Command = {
  name: 'audit roots',
  summary: 'Print the signed roots of the audit log, one JSON object per line with or without --json',
  example: 'audit roots --from 2026-03-01T00:00:00Z',
  printsData: true,
  needsKeys: false,
  options: timeRange,
  async run(invocation) {
    const { service, terminal } = invocation;
    for await (const roots of service.get(AuditVerificationService).list(rangeOf(invocation))) {
      if (terminal.isOver) return;
      const lines = roots.map(({ number, madeAt, events, token }) =>
        asLine({ number: Number(number), made_at: madeAt.toISOString(), events, token }),
      );
      terminal.write(lines.join(''));
    }
  },
};

/** Roots that `audit roots` printed. Errors: `CommandError`. */
async function readKnown({ terminal }: Invocation): Promise<Map<number, string>> {
  const lines = (await terminal.readInput()).split('\n').filter((line) => line.trim() !== '');
  return new Map(lines.map((line, index) => knownRoot(line, index + 1)));
}

function knownRoot(line: string, place: number): [number, string] {
  try {
    const { number, token } = JSON.parse(line) as { number?: unknown; token?: unknown };
    if (typeof number === 'number' && typeof token === 'string') return [number, token];
  } catch {
    // Reported below.
  }
  throw new CommandError(`Line ${place} of the input is no root that "audit roots" printed.`);
}

function faultLine(fault: ChainFault): string {
  if ('event_id' in fault) return columns(fault.kind, fault.event_id);
  return columns(fault.kind, 'month' in fault ? `${fault.month}, root ${fault.root}` : `root ${fault.root}`);
}

const shorterLine = ({ root, at, from_days: from, to_days: to }: ShorterRetention): string =>
  columns('shortened', `retention from ${from} to ${to} days, root ${root} of ${at}`);

function reportLines(report: ChainReport): string[] {
  const { roots, proven, dropped, unsigned_drops_before: before, unproven, last, faults, faults_total: total } = report;
  const { retention_shortened: shortened } = report;
  return [
    ...faults.map(faultLine),
    ...(total > faults.length ? [`${total - faults.length} more faults`] : []),
    columns('proven', `${proven} events by ${roots} roots`),
    ...(dropped > 0 ? [columns('dropped', `${dropped} events, by retention`)] : []),
    ...(before === null ? [] : [columns('not signed', `drops before ${before} by a former version`)]),
    ...shortened.map(shorterLine),
    ...(unproven
      ? [columns('unproven', `${unproven.before} events before the first root, ${unproven.after} since the last`)]
      : []),
    ...(last ? [columns('last root', `${last.number} of ${last.made_at}, SHA-256 ${last.digest}`)] : []),
  ];
}

const verify: Command = {
  name: 'audit verify',
  summary: 'Compare the audit log with its signed roots. Fails if an event was changed, deleted or added',
  example: 'audit verify',
  printsData: true,
  options: {
    ...timeRange,
    known: flag('Also compare with roots that "audit roots" printed earlier, from standard input'),
  },
  async run(invocation) {
    const known = isGiven(invocation, 'known') ? await readKnown(invocation) : new Map<number, string>();
    const query = { ...rangeOf(invocation), known };
    const report = await invocation.service.get(AuditVerificationService).verify(query);
    print(invocation, report, reportLines(report));
    if (report.faults_total > 0) throw new CommandError(`The audit log has ${report.faults_total} faults`);
    if (report.roots === 0) {
      throw new CommandError('There is no root to verify. The server makes the first at its start.');
    }
  },
};

export const auditCommands: readonly Command[] = [exportAudit, verify, printRoots];
