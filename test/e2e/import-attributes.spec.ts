import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importInto, Imported, storedUser } from '../support/accounts/imports';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface CsvOutcome extends Problem {
  readonly items: { readonly line: number; readonly notes: string[] }[];
}

describe('attributes in files', () => {
  let service: TestService;
  let admin: TestClient;
  let folder: string;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    folder = await mkdtemp(join(tmpdir(), 'castellan-attributes-'));
    const definitions = [
      { name: 'employee_no', unique: true, searchable: true, pattern: '[A-Z0-9]+' },
      { name: 'grade', type: 'number', max: 20 },
      { name: 'remote', type: 'boolean' },
      { name: 'started_on', type: 'date' },
      { name: 'skills', type: 'text_list' },
      { name: 'synced', source: 'directory' },
    ];
    for (const definition of definitions) {
      const label = { en: definition.name, zh: definition.name };
      const { status, text } = await admin.post('/api/attribute', { type: 'text', label, ...definition });
      if (status !== 201) throw new Error(text);
    }
  });

  afterAll(() => rm(folder, { recursive: true }));

  const attributesOf = async (username: string): Promise<unknown> =>
    (await storedUser(service, username))?.['attributes'];

  async function importedFrom(from: string, content: unknown, options = {}): Promise<Imported> {
    const path = join(folder, 'file.json');
    await writeFile(path, JSON.stringify(content));
    return importInto(service, from, path, options);
  }

  const csv = (text: string, query = ''): Promise<Answer<CsvOutcome>> =>
    admin.post<CsvOutcome>(`/api/user/import${query}`, { csv: text });

  it('come from the lists of Keycloak, also where names are spelled otherwise', async () => {
    const attributes = {
      employeeNo: ['K1'],
      grade: ['7.5'],
      Remote: ['TRUE'],
      'started-on': ['2020-02-29'],
      skills: ['Go', 'SQL'],
      shoeSize: ['44'],
      constructor: ['x'],
    };
    const { totals } = await importedFrom('keycloak', { users: [{ id: 'k1', username: 'at_kc', attributes }] });
    expect(totals.notes).toEqual({ no_way_in: 1 });
    expect(await attributesOf('at_kc')).toEqual({
      employee_no: 'K1',
      grade: 7.5,
      remote: true,
      started_on: '2020-02-29',
      skills: ['Go', 'SQL'],
    });
    const { body } = await admin.get<{ items: { username: string }[] }>('/api/user?attribute=employee_no:k1');
    expect(body.items.map(({ username }) => username)).toEqual(['at_kc']);
  });

  it.each([
    [
      'user_metadata of Auth0',
      'auth0',
      [{ user_id: 'auth0|a1', username: 'at_a0', user_metadata: { employee_no: 'A1', grade: 3, remote: false } }],
      'at_a0',
      { employee_no: 'A1', grade: 3, remote: false },
    ],
    [
      'properties of Casdoor',
      'casdoor',
      { users: [{ owner: 'built-in', name: 'at_cas', properties: { employeeNo: 'C1', grade: '4' } }] },
      'at_cas',
      { employee_no: 'C1', grade: 4 },
    ],
    [
      'attributes of another Castellan',
      'castellan',
      [{ id: 'c1', username: 'at_own', attributes: { employee_no: 'O1', skills: ['a, b', 'c'] } }],
      'at_own',
      { employee_no: 'O1', skills: ['a, b', 'c'] },
    ],
  ])('come from %s', async (_, from, content, username, expected) => {
    await importedFrom(from, content);
    expect(await attributesOf(username)).toEqual(expected);
  });

  it('are left out with a note where they are not valid, taken or written by directories, as the dry run says', async () => {
    const users = [
      { id: 'n1', username: 'at_n1', attributes: { employee_no: ['N1'], grade: ['21'] } },
      { id: 'n2', username: 'at_n2', attributes: { employee_no: ['n1'] } },
      { id: 'n3', username: 'at_n3', attributes: { employee_no: ['k1'], remote: ['perhaps'] } },
      { id: 'n4', username: 'at_n4', attributes: { synced: ['x'], grade: ['1', '2'] } },
      { id: 'n5', username: 'at_n5', attributes: { grade: ['5'] } },
    ];
    const rehearsed = await importedFrom('keycloak', { users }, { dryRun: true });
    const written = await importedFrom('keycloak', { users });
    expect(rehearsed.totals).toEqual(written.totals);
    expect(rehearsed.lines).toEqual(written.lines);
    expect(written.totals.notes).toEqual({ no_way_in: 5, attribute_left_out: 4 });
    const names = users.map(({ username }) => username);
    expect(await Promise.all(names.map(attributesOf))).toEqual([{ employee_no: 'N1' }, {}, {}, {}, { grade: 5 }]);
  });

  it('are columns of CSV files, which an export brings back', async () => {
    const cells = 'username,email,email_verified,attributes.employee_no,attributes.grade,attributes.skills';
    const { status, body } = await csv(
      `${cells}\nat_csv,at@x.example,true,V1,6,"Go\nC++"\nat_bad,bad@x.example,true,v1,,`,
    );
    expect([status, body.items.map(({ line, notes }) => [line, notes])]).toEqual([200, [[4, ['attribute_left_out']]]]);
    expect(await attributesOf('at_csv')).toEqual({ employee_no: 'V1', grade: 6, skills: ['Go', 'C++'] });
    const { text } = await admin.get('/api/user/export?keyword=at_csv');
    const [head = '', ...lines] = text.split('\r\n');
    expect(head.split(',').slice(-6)).toEqual(
      ['employee_no', 'grade', 'remote', 'started_on', 'skills', 'synced'].map((name) => `attributes.${name}`),
    );
    expect(lines[0]).toMatch(/,V1,6,,,"Go\nC\+\+",$/);
    const again = text.replaceAll('at_csv', 'at_back').replaceAll('at@x', 'back@x').replace(',V1,', ',V2,');
    expect((await csv(again)).body).toMatchObject({ made: 1, items: [] });
    expect(await attributesOf('at_back')).toEqual({ employee_no: 'V2', grade: 6, skills: ['Go', 'C++'] });
  });

  it('refuse a column of an attribute that is not defined', async () => {
    const { status, body } = await csv('username,attributes.shoe_size\nann,44');
    expect([status, body.errors?.map(({ code }) => code)]).toEqual([400, ['csv_column']]);
  });

  it('are named in the audit log, without their values', async () => {
    const [event] = await service.query<{ after: { attributes: string[] } }>(
      `SELECT after FROM audit_event WHERE action = 'user.create' AND target_label = 'at_csv'`,
    );
    expect(event?.after.attributes).toEqual(['employee_no', 'grade', 'skills']);
  });
});
