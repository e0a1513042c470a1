import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OrderedAuditEvent } from '../../../src/audit';
import { feedEventDto } from '../../../src/events/feed';
import { eventsOf } from '../../../src/events/feed/feed-event';
import { claimsOf, signalsOf } from '../../../src/events/webhooks/shared-signals';
import type { TestDatabase } from '../service/test-database';

const FILE = join(__dirname, '../../fixtures/recorded-acts.json');
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const AT = '2026-01-01T00:00:00.000Z';

/** An audit entry as the feed reads it, with fixed ids and times. */
export type RecordedAct = Omit<OrderedAuditEvent, 'at' | 'position' | 'requestId'>;

const FIELDS = `id, action, outcome, actor_id AS "actorId", actor_name AS "actorName", on_behalf_of_id AS "onBehalfOfId",
  on_behalf_of_name AS "onBehalfOfName", session_id AS "sessionId", target_type AS "targetType", target_id AS "targetId",
  target_label AS "targetLabel", organization_id AS "organizationId", before, after`;

function withFixedValues(act: RecordedAct): RecordedAct {
  const ids = new Map<string, string>();
  const fixed = (id: string): string => {
    const known = ids.get(id) ?? `01980c6e-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  return JSON.parse(JSON.stringify(act).replace(ID, fixed).replace(TIME, AT)) as RecordedAct;
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((member) => JSON.stringify(shapeOf(member))))].sort();
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member)]));
}

/** The events of the act, each with its signals. */
export const meaningOf = (act: RecordedAct): unknown =>
  eventsOf({ ...act, at: new Date(AT), position: '1', requestId: null }).map((event) => {
    const { type, actor, on_behalf_of, subject, data, organization_id } = feedEventDto(event, { seesNames: true });
    const signals = signalsOf(event).map((signal) => {
      const parties = { issuer: 'https://id.example.com', audience: 'https://app.example.com' };
      const { sub_id: subjectId, events, jti } = claimsOf(feedEventDto(signal, { seesNames: false }), parties, {});
      return { subjectId, events, jti };
    });
    return { type, actor, on_behalf_of, subject, data, organization_id, ...(signals.length > 0 && { signals }) };
  });

/** What makes acts different: the action, the outcome and the form of the states. */
export const formOf = ({ action, outcome, targetType, before, after }: RecordedAct): string =>
  JSON.stringify([action, outcome, targetType, shapeOf(before), shapeOf(after)]);

export interface KnownAct {
  readonly act: RecordedAct;
  readonly events: unknown;
}

export const knownActs = async (): Promise<KnownAct[]> => JSON.parse(await readFile(FILE, 'utf8')) as KnownAct[];

/** The acts of the service so far, one of each form. */
export async function recordedActs(database: TestDatabase): Promise<RecordedAct[]> {
  const acts = await database.query<RecordedAct>(`SELECT ${FIELDS} FROM audit_event ORDER BY audit_event.position, id`);
  return [...new Map(acts.map((act) => [formOf(act), withFixedValues(act)])).values()];
}

/** With `COLLECT_ACTS=FILE`, adds the acts of the service to the file, one in a line. */
export async function collectActs(database: TestDatabase): Promise<void> {
  const file = process.env['COLLECT_ACTS'];
  if (!file) return;
  for (const act of await recordedActs(database)) await appendFile(file, `${JSON.stringify(act)}\n`);
}

/** Writes the acts of the file into the fixture, beside those that it has. */
export async function writeKnownActs(file: string): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const before = await knownActs().catch(() => []);
  const found = [...before.map(({ act }) => act), ...lines.map((line) => JSON.parse(line) as RecordedAct)];
  const acts = new Map(found.reverse().map((act) => [formOf(act), act]));
  const sorted = [...acts.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, act]) => act);
  const entries = sorted.map((act) => JSON.stringify({ act, events: meaningOf(act) }));
  await writeFile(FILE, `[\n${entries.join(',\n')}\n]\n`);
}
