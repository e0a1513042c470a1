import { csvHead, csvLine } from '../../platform/util';
import { AuditEventDto } from './dto/audit.dto';

type Cell = readonly [name: string, of: (event: AuditEventDto) => unknown];

/** `before` and `after` are JSON. */
const CELLS: readonly Cell[] = [
  ['at', ({ at }) => at],
  ['action', ({ action }) => action],
  ['outcome', ({ outcome }) => outcome],
  ['actor', ({ actor }) => actor?.username],
  ['actor_id', ({ actor }) => actor?.id],
  ['on_behalf_of', ({ on_behalf_of: user }) => user?.username],
  ['on_behalf_of_id', ({ on_behalf_of: user }) => user?.id],
  ['target_type', ({ target }) => target?.type],
  ['target_id', ({ target }) => target?.id],
  ['target', ({ target }) => target?.label],
  ['ip', ({ ip }) => ip],
  ['user_agent', ({ user_agent }) => user_agent],
  ['session_id', ({ session_id }) => session_id],
  ['request_id', ({ request_id }) => request_id],
  ['before', ({ before }) => before],
  ['after', ({ after }) => after],
  ['reason', ({ reason }) => reason],
  ['id', ({ id }) => id],
  ['organization_id', ({ organization_id }) => organization_id],
];

/** The first line of an export as CSV. */
export const auditCsvHead = (): string => csvHead(CELLS.map(([name]) => name));

export const auditCsvLine = (event: AuditEventDto): string => csvLine(CELLS.map(([, of]) => textOf(of(event) ?? '')));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
