import { AttributeWorkJob } from '../../src/users/attributes/attribute-work.job';
import { expectProblem } from '../support/service/expect-problem';
import { userWith } from '../support/accounts/holders';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Attribute {
  readonly name: string;
  readonly type: string;
  readonly indexed: boolean;
  readonly position: number;
}

interface User {
  readonly id: string;
  readonly username: string;
  readonly attributes: Record<string, unknown>;
}

const LABEL = { en: 'Employee number', zh: '工号' };

let service: TestService;
let admin: TestClient;
let names = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
});

/** Expects that the problem names the one field and its rule. */
function expectField(answer: Answer<Problem>, status: number, code: string, field: string, rule: string): void {
  expectProblem(answer, status, code);
  expect(answer.body.errors?.map((one) => [one.field, one.code])).toEqual([[field, rule]]);
}

const freshName = (): string => `attribute_${++names}`;

const define = (body: object): Promise<Answer<Attribute & Problem>> =>
  admin.post<Attribute & Problem>('/api/attribute', { type: 'text', label: LABEL, ...body });

async function defined(body: object = {}): Promise<string> {
  const name = freshName();
  const { status, text } = await define({ name, ...body });
  if (status !== 201) throw new Error(text);
  return name;
}

const createUser = (attributes: object): Promise<Answer<User & Problem>> =>
  admin.post<User & Problem>('/api/user', { username: `attributed_${++names}`, attributes });

describe('/api/attribute', () => {
  it('defines, shows, changes and deletes an attribute', async () => {
    const name = freshName();
    const created = await define({ name, pattern: '[A-Z]{2}[0-9]{4}', unique: true, searchable: true });
    expect(created).toMatchObject({
      status: 201,
      body: {
        name,
        type: 'text',
        label: LABEL,
        pattern: '[A-Z]{2}[0-9]{4}',
        owner: 'none',
        required: 'no',
        indexed: true,
      },
    });
    expect((await admin.get(`/api/attribute/${name}`)).body).toEqual(created.body);
    const changed = await admin.patch<Attribute>(`/api/attribute/${name}`, {
      owner: 'read',
      pattern: '',
      position: 3,
    });
    expect(changed).toMatchObject({ status: 200, body: { owner: 'read', pattern: null, position: 3, unique: true } });
    const { items } = (await admin.get<{ items: Attribute[] }>('/api/attribute')).body;
    expect(items[0]).toEqual(changed.body);
    expect((await admin.delete(`/api/attribute/${name}`)).status).toBe(204);
    expectProblem(await admin.get(`/api/attribute/${name}`), 404, 'not_found');
    const audited = await service.query<{ action: string }>(
      `SELECT action FROM audit_event WHERE target_type = 'attribute' AND target_id = $1 ORDER BY id`,
      [name],
    );
    expect(audited.map(({ action }) => action)).toEqual(['attribute.create', 'attribute.update', 'attribute.delete']);
  });

  it.each([
    ['a name with a capital', { name: 'Employee' }, 'name', 'attribute_code'],
    ['a name that users have', { name: 'email' }, 'name', 'attribute_reserved'],
    ['a name that bodies of requests cannot have', { name: 'constructor' }, 'name', 'attribute_reserved'],
    ['a duty that the owner cannot fulfil', { required: 'registration' }, 'required', 'attribute_owner_writes'],
    ['a limit of another type', { type: 'boolean', pattern: 'a' }, 'pattern', 'attribute_limit'],
    ['a pattern with a back-reference', { pattern: '(a)\\1' }, 'pattern', 'attribute_pattern'],
    ['a choice without options', { type: 'choice' }, 'choices', 'required'],
    ['a choice given twice', { type: 'choice', choices: ['a', 'a'] }, 'choices', 'unique'],
    ['an empty range', { type: 'number', min: 3, max: 2 }, 'max', 'min'],
    ['a day that does not exist', { type: 'date', min: '2026-02-30' }, 'min', 'date'],
    ['unique booleans', { type: 'boolean', unique: true }, 'unique', 'attribute_unique_type'],
    ['a long unique text', { unique: true, max_length: 500 }, 'max_length', 'max'],
    ['an owner beside a directory', { source: 'directory', owner: 'write' }, 'owner', 'attribute_of_directory'],
  ])('rejects %s', async (_, body, field, code) => {
    expectField(await define({ name: freshName(), ...body }), 400, 'validation_failed', field, code);
  });

  it('rejects a second one of a name', async () => {
    expectProblem(await define({ name: await defined() }), 409, 'name_taken');
  });

  it('keeps the type and uniqueness while a user has a value', async () => {
    const name = await defined();
    expect((await createUser({ [name]: 'x' })).status).toBe(201);
    expectProblem(await admin.patch(`/api/attribute/${name}`, { type: 'number' }), 409, 'in_use');
    expectProblem(await admin.patch(`/api/attribute/${name}`, { unique: true }), 409, 'in_use');
  });

  it('brings the values back when it is defined again within a day', async () => {
    const name = await defined({ searchable: true });
    const { body: user } = await createUser({ [name]: 'kept' });
    await admin.delete(`/api/attribute/${name}`);
    const shown = (): Promise<Answer<User>> => admin.get<User>(`/api/user/${user.id}`);
    expect((await shown()).body.attributes).toEqual({});
    expectProblem(await define({ name, type: 'number' }), 409, 'in_use');
    expect((await define({ name })).status).toBe(201);
    expect((await shown()).body.attributes).toEqual({ [name]: 'kept' });
  });
});

describe('values', () => {
  it.each([
    ['text', {}, '  Ｂ é ', 'Ｂ é'],
    ['number', { min: 0, max: 10 }, 2.5, 2.5],
    ['boolean', {}, false, false],
    ['date', { min: '2000-01-01' }, '2024-02-29', '2024-02-29'],
    ['choice', { choices: ['a', { value: 'b', label: LABEL }] }, 'b', 'b'],
    ['text_list', {}, ['x', ' y', 'x'], ['x', 'y']],
  ])('stores a %s', async (type, rules, given, stored) => {
    const name = await defined({ type, ...rules });
    const { body: user } = await createUser({ [name]: given });
    expect(user.attributes).toEqual({ [name]: stored });
    const cleared = await admin.patch<User>(`/api/user/${user.id}`, { attributes: { [name]: null } });
    expect(cleared.body.attributes).toEqual({});
  });

  it.each([
    ['text', { max_length: 3 }, 'abcd', 'max_length'],
    ['text', { pattern: '[a-z]+' }, 'ab1', 'pattern'],
    ['text', {}, 7, 'type_text'],
    ['number', { max: 10 }, 11, 'max'],
    ['number', {}, '7', 'type_number'],
    ['boolean', {}, 'true', 'type_boolean'],
    ['date', {}, '2025-02-29', 'date'],
    ['choice', { choices: ['a'] }, 'b', 'one_of'],
    ['text_list', {}, 'a', 'type_list'],
  ])('rejects a wrong %s', async (type, rules, given, code) => {
    const name = await defined({ type, ...rules });
    expectField(await createUser({ [name]: given }), 400, 'validation_failed', `attributes.${name}`, code);
  });

  it('rejects unknown attributes, and all above eight kilobytes', async () => {
    expectField(
      await createUser({ nonsense: 1 }),
      400,
      'attribute_unknown',
      'attributes.nonsense',
      'attribute_unknown',
    );
    const name = await defined({ type: 'text_list', max_length: 1_000 });
    const long = Array.from({ length: 9 }, (_, index) => String(index).repeat(1_000));
    expectField(await createUser({ [name]: long }), 400, 'validation_failed', 'attributes', 'attribute_bytes');
  });

  it('lets one of many writers have a unique value, ignoring case', async () => {
    const name = await defined({ unique: true });
    const answers = await Promise.all(['AB1', 'ab1', 'Ab1', 'aB1'].map((value) => createUser({ [name]: value })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const taken = answers.find(({ status }) => status === 409)!;
    expectField(taken, 409, 'attribute_taken', `attributes.${name}`, 'attribute_taken');
    const winner = answers.find(({ status }) => status === 201)!.body;
    await admin.patch(`/api/user/${winner.id}`, { attributes: { [name]: null } });
    expect((await createUser({ [name]: 'AB1' })).status).toBe(201);
  });

  it('names the changed attributes in the audit log, not their values', async () => {
    const name = await defined();
    const { body: user } = await createUser({});
    await admin.patch(`/api/user/${user.id}`, { attributes: { [name]: 'secret value' } });
    const [row] = await service.query<{ after: object; before: object }>(
      `SELECT before, after FROM audit_event WHERE target_id = $1 AND action = 'user.update'`,
      [user.id],
    );
    expect(row).toEqual({ before: {}, after: { attributes: [name] } });
  });

  it('are shown to and written by owners as far as each attribute lets them', async () => {
    const [hidden, readable, writable] = [
      await defined(),
      await defined({ owner: 'read' }),
      await defined({ owner: 'write' }),
    ];
    const { client: owner } = await userWith(service, admin, `owner_${++names}`);
    const me = (await owner.get<User>('/api/auth/me')).body;
    await admin.patch(`/api/user/${me.id}`, { attributes: { [hidden]: 'h', [readable]: 'r', [writable]: 'w' } });
    expect((await owner.get<User>('/api/auth/me')).body.attributes).toEqual({ [readable]: 'r', [writable]: 'w' });
    const { items } = (await owner.get<{ items: Attribute[] }>('/api/auth/me/attribute')).body;
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining([readable, writable]));
    expect(items.map(({ name }) => name)).not.toContain(hidden);
    const change = (attributes: object): Promise<Answer<User & Problem>> => owner.patch('/api/auth/me', { attributes });
    const own = await owner.get<{ profile: User }>('/api/auth/me/export');
    expect(own.body.profile.attributes).toEqual({ [readable]: 'r', [writable]: 'w' });
    expectProblem(await change({ [hidden]: 'x' }), 400, 'attribute_unknown');
    expectProblem(await change({ [readable]: 'x' }), 403, 'attribute_read_only');
    expect((await change({ [writable]: 'x' })).body.attributes).toEqual({ [readable]: 'r', [writable]: 'x' });
    expect((await admin.get<User>(`/api/user/${me.id}`)).body.attributes).toEqual({
      [hidden]: 'h',
      [readable]: 'r',
      [writable]: 'x',
    });
  });

  it('of directories are written by nobody here', async () => {
    const name = await defined({ source: 'directory' });
    expectProblem(await createUser({ [name]: 'x' }), 403, 'attribute_read_only');
  });
});

describe('search', () => {
  const found = async (filter: string): Promise<string[]> => {
    const answer = await admin.get<{ items: User[] }>(`/api/user?attribute=${encodeURIComponent(filter)}`);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body.items.map(({ id }) => id);
  };

  it('finds users by the value of a searchable attribute, ignoring case, and by the item of a list', async () => {
    const [text, list] = [await defined({ searchable: true }), await defined({ type: 'text_list', searchable: true })];
    const { body: user } = await createUser({ [text]: 'Köln: Süd', [list]: ['One', 'Two'] });
    await createUser({ [text]: 'Köln' });
    expect(await found(`${text}:KÖLN: SÜD`)).toEqual([user.id]);
    expect(await found(`${list}:two`)).toEqual([user.id]);
    expect(await found(`${list}:three`)).toEqual([]);
  });

  it('refuses an attribute without an index, until all users have their keys', async () => {
    const name = await defined();
    const { body: user } = await createUser({ [name]: 'late' });
    const search = (): Promise<Answer<Problem>> => admin.get<Problem>(`/api/user?attribute=${name}:late`);
    expectField(await search(), 400, 'validation_failed', 'attribute', 'attribute_not_searchable');
    const changed = await admin.patch<Attribute>(`/api/attribute/${name}`, { searchable: true });
    expect(changed.body.indexed).toBe(false);
    expectField(await search(), 400, 'validation_failed', 'attribute', 'attribute_not_indexed');
    await service.app.get(AttributeWorkJob, { strict: false }).run(new AbortController().signal);
    expect(await found(`${name}:late`)).toEqual([user.id]);
  });
});

describe('required attributes', () => {
  const ME = '/api/auth/me';
  const register = (attributes: object | undefined): Promise<Answer<{ user: User } & Problem>> =>
    service.client().post('/api/auth/register', { username: `registered_${++names}`, password: PASSWORD, attributes });

  it('are given at registration, and shown in what the service says about itself', async () => {
    const name = await defined({ owner: 'write', required: 'registration', max_length: 4 });
    const { registration } = (await admin.get<{ registration: { attributes: Attribute[] } }>('/api/info')).body;
    expect(registration.attributes.map((one) => one.name)).toEqual([name]);
    const field = `attributes.${name}`;
    expectField(await register(undefined), 400, 'validation_failed', field, 'required');
    expectField(await register({ [name]: '' }), 400, 'validation_failed', field, 'required');
    expectField(await register({ [name]: 'longer' }), 400, 'validation_failed', field, 'max_length');
    const registered = await register({ [name]: 'abc' });
    expect([registered.status, registered.body.user.attributes]).toEqual([201, { [name]: 'abc' }]);
    expect((await createUser({})).status).toBe(201);
    expect((await admin.delete(`/api/attribute/${name}`)).status).toBe(204);
  });

  it('at registration are only those that the owner writes', async () => {
    const [readable, hidden] = [await defined({ owner: 'read' }), await defined()];
    expectProblem(await register({ [readable]: 'x' }), 403, 'attribute_read_only');
    expectProblem(await register({ [hidden]: 'x' }), 400, 'attribute_unknown');
  });

  it('at login close all else until the user gives them', async () => {
    const { client } = await userWith(service, admin, `late_${++names}`);
    const name = await defined({ owner: 'write', required: 'login' });
    expectProblem(await client.get('/api/auth/sessions'), 403, 'attributes_required');
    expect((await client.get<{ pending: string }>(ME)).body.pending).toBe('attributes');
    expect((await client.get(`${ME}/attribute`)).status).toBe(200);
    expectProblem(
      await client.patch(ME, { nickname: 'Else', attributes: { [name]: 'x' } }),
      403,
      'attributes_required',
    );
    expect((await client.patch(ME, { attributes: { [name]: 'x' } })).status).toBe(200);
    expect((await client.get('/api/auth/sessions')).status).toBe(200);
    expectField(
      await client.patch(ME, { attributes: { [name]: null } }),
      400,
      'validation_failed',
      `attributes.${name}`,
      'required',
    );
    await admin.patch(ME, { attributes: { [name]: 'x' } });
    await admin.delete(`/api/attribute/${name}`);
  });
});
