import { AuditService, hostEntry } from '../../../src/audit';
import { newId } from '../../../src/platform/crypto';
import { Transactions } from '../../../src/platform/database';
import { eventually } from '../service/eventually';
import type { TestClient } from '../service/test-client';
import type { TestService } from '../service/test-service';

export interface FeedItem {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly actor: { readonly type: string; readonly id: string; readonly name: string | null } | null;
  readonly subject: { readonly type: string; readonly id: string; readonly name: string | null } | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly request_id: string | null;
  readonly organization_id?: string;
}

export interface EventPage {
  readonly items: readonly FeedItem[];
  readonly next_cursor: string;
}

export interface ReadEvents {
  readonly items: FeedItem[];
  readonly cursor: string;
}

const marks = new Set<string>();

/** All events that can be read after the cursor, and where to continue. */
export async function readOn(client: TestClient, cursor: string, filter = ''): Promise<ReadEvents> {
  const items: FeedItem[] = [];
  for (let from = cursor; ;) {
    const { status, body } = await client.get<EventPage>(
      `/api/event?limit=100&cursor=${encodeURIComponent(from)}${filter}`,
    );
    if (status !== 200) throw new Error(`GET /api/event returned ${status}`);
    items.push(...body.items);
    if (body.next_cursor === from) return { items, cursor: from };
    from = body.next_cursor;
  }
}

/** Records an act that is an event, in the running transaction or in a separate one. Returns the id of its subject. */
export async function recordAct(service: TestService, name: string): Promise<string> {
  const id = newId();
  const entry = hostEntry({ action: 'group.create', target: { type: 'group', id, label: name } });
  await service.app.get(Transactions).run(() => service.app.get(AuditService, { strict: false }).record(entry));
  return id;
}

/**
 * All events after the cursor up to now. Waits until they can be read: transactions of other tests on the same server
 * hold them back.
 */
export async function eventsSince(service: TestService, client: TestClient, cursor: string): Promise<ReadEvents> {
  const mark = await recordAct(service, 'mark');
  marks.add(mark);
  const read = await eventually(
    () => readOn(client, cursor),
    ({ items }) => items.some(({ subject }) => subject?.id === mark),
    30,
  );
  return { items: read.items.filter(({ subject }) => !marks.has(subject?.id ?? '')), cursor: read.cursor };
}

/** The cursor after all events so far. */
export const endOfFeed = async (service: TestService, client: TestClient): Promise<string> =>
  (await eventsSince(service, client, '')).cursor;
