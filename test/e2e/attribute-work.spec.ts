import { AttributeWorkJob } from '../../src/users/attributes/attribute-work.job';
import { expectProblem } from '../support/service/expect-problem';
import { itOnServer, SOMEBODY_WAITS } from '../support/service/on-server';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface User {
  readonly id: string;
  readonly attributes: Record<string, unknown>;
}

/** As a change of a definition locks. */
const LOCK_DEFINITIONS = 'LOCK TABLE user_attribute IN SHARE ROW EXCLUSIVE MODE';

let service: TestService;
let admin: TestClient;
let names = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
});

const freshName = (): string => `worked_${++names}`;
const work = (): Promise<void> =>
  service.app.get(AttributeWorkJob, { strict: false }).run(new AbortController().signal);
const define = (name: string, body: object = {}): Promise<Answer<Problem>> =>
  admin.post<Problem>('/api/attribute', { name, type: 'text', label: { en: name, zh: name }, ...body });
const change = (name: string, body: object): Promise<Answer<Problem>> =>
  admin.patch<Problem>(`/api/attribute/${name}`, body);

async function succeeded<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { status, text, body } = await answer;
  if (status >= 300) throw new Error(text);
  return body;
}

/** A user with the value. */
const userWith = (attributes: object): Promise<User> =>
  succeeded(admin.post<User>('/api/user', { username: freshName(), attributes }));

const shownOf = async ({ id }: User): Promise<unknown> =>
  (await succeeded(admin.get<User>(`/api/user/${id}`))).attributes;

async function found(filter: string): Promise<string[]> {
  const path = `/api/user?attribute=${encodeURIComponent(filter)}`;
  const { items } = await succeeded(admin.get<{ items: User[] }>(path));
  return items.map(({ id }) => id);
}

describe('the work on attributes', () => {
  it('passes over values from a time with a higher limit, which fit in no index', async () => {
    const name = freshName();
    await succeeded(define(name, { max_length: 1_000 }));
    const long = Array.from({ length: 1_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000)));
    const user = await userWith({ [name]: long.join('') });
    const other = await userWith({ [name]: 'short' });
    await succeeded(change(name, { max_length: 200, searchable: true }));
    await work();
    expect(await found(`${name}:short`)).toEqual([other.id]);
    const badge = freshName();
    await succeeded(define(badge, { searchable: true }));
    expect((await admin.patch(`/api/user/${user.id}`, { attributes: { [badge]: 'x' } })).status).toBe(200);
    expect(await found(`${badge}:x`)).toEqual([user.id]);
  });

  it('brings no value back after the day in which a deletion can be undone', async () => {
    const name = freshName();
    await succeeded(define(name));
    const user = await userWith({ [name]: 'gone' });
    expect((await admin.delete(`/api/attribute/${name}`)).status).toBe(204);
    await service.query(`UPDATE user_attribute SET deleted_at = now() - interval '25 hours' WHERE name = $1`, [name]);
    expectProblem(await define(name), 409, 'in_use');
    await work();
    await succeeded(define(name));
    expect(await shownOf(user)).toEqual({});
  });

  it('is about at most 50 attributes', async () => {
    const { items } = await succeeded(admin.get<{ items: object[] }>('/api/attribute'));
    const added = Array.from({ length: 50 - items.length }, freshName);
    for (const name of added) await succeeded(define(name));
    expectProblem(await define(freshName()), 409, 'limit_reached');
    for (const name of added) await admin.delete(`/api/attribute/${name}`);
  });

  itOnServer('keeps the keys of an attribute that becomes searchable again meanwhile', async () => {
    const name = freshName();
    await succeeded(define(name, { searchable: true }));
    await userWith({ [name]: 'kept' });
    await succeeded(change(name, { searchable: false }));
    await service.query('BEGIN');
    await service.query(LOCK_DEFINITIONS);
    await service.query(`UPDATE user_attribute SET searchable = true WHERE name = $1`, [name]);
    const working = work();
    try {
      await eventually(
        () => service.query(SOMEBODY_WAITS),
        (rows) => rows.length === 1,
      );
    } finally {
      await service.query('COMMIT');
    }
    await working;
    const keys = await service.query('SELECT key FROM user_attribute_key WHERE attribute = $1', [name]);
    expect(keys).toEqual([{ key: 'kept' }]);
  });

  itOnServer('waits for a change of a definition before it locks anything', async () => {
    const name = freshName();
    await succeeded(define(name));
    const user = await userWith({ [name]: 'first' });
    await succeeded(change(name, { searchable: true }));
    await service.query('BEGIN');
    await service.query(LOCK_DEFINITIONS);
    const working = work();
    try {
      await eventually(
        () => service.query(SOMEBODY_WAITS),
        (rows) => rows.length === 1,
      );
      await service.query('SELECT 1 FROM user_attribute WHERE name = $1 FOR UPDATE NOWAIT', [name]);
      await service.query('SELECT 1 FROM user_account WHERE id = $1 FOR UPDATE NOWAIT', [user.id]);
    } finally {
      await service.query('COMMIT');
    }
    await working;
    expect(await found(`${name}:first`)).toEqual([user.id]);
  });
});
