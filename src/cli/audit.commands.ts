import { AuditExportQueryDto, AuditLogService } from '../audit';
import { checkInput, isId } from '../platform/input';
import { Command, Invocation } from './command';
import { defined, textOf, textOption, timeOption } from './option';
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
      defined({
        actor_id: await actorOf(invocation),
        action: textOf(invocation, 'action'),
        target_type: textOf(invocation, 'target-type'),
        target_id: textOf(invocation, 'target-id'),
        from: textOf(invocation, 'from'),
        to: textOf(invocation, 'to'),
      }),
    );
    for await (const lines of await service.get(AuditLogService).export(query)) {
      if (terminal.isOver) return;
      terminal.write(String(lines));
    }
  },
};

export const auditCommands: readonly Command[] = [exportAudit];
