import { columns, ColumnsOf, printFields, printList } from './output';

interface Pet {
  readonly id: number;
  readonly name: string;
  readonly owner: string | null;
}

const petColumns: ColumnsOf<Pet> = { id: ({ id }) => id, name: ({ name }) => name, owner: ({ owner }) => owner };
const pets: Pet[] = [
  { id: 1, name: 'Rex', owner: null },
  { id: 20, name: '旺财', owner: 'ann' },
  { id: 3, name: 'Tab\tby', owner: 'bob' },
];

function printed(isScreen: boolean, options: object, act: (output: Parameters<typeof printList>[0]) => void): string {
  let written = '';
  act({ options: { ...options }, terminal: { isScreen, write: (text) => void (written += text) } });
  return written;
}

const listed = (isScreen: boolean, items = pets, options = {}, cursor: string | null = null): string =>
  printed(isScreen, options, (output) => {
    printList(output, { items, next_cursor: cursor }, petColumns);
  });

describe('printList', () => {
  it('prints titles above aligned columns on a screen', () => {
    expect(listed(true).split('\n')).toEqual([
      'ID  NAME    OWNER',
      '1   Rex     -',
      '20  旺财    ann',
      '3   Tab?by  bob',
      '',
    ]);
  });

  it('prints the titles of an empty list on a screen', () => {
    expect(listed(true, [])).toBe('ID  NAME  OWNER\n');
  });

  it('separates columns by tabs, without titles, for a program', () => {
    expect(listed(false)).toBe('1\tRex\t-\n20\t旺财\tann\n3\tTab?by\tbob\n');
    expect(listed(false, [])).toBe('');
  });

  it.each([true, false])('names the cursor of the next page below the list (screen: %s)', (isScreen) => {
    expect(listed(isScreen, pets, {}, 'abc').endsWith('bob\nMore with --cursor abc\n')).toBe(true);
  });

  it.each([true, false])('prints JSON with --json (screen: %s)', (isScreen) => {
    expect(JSON.parse(listed(isScreen, pets, { json: true }))).toEqual({ items: pets, next_cursor: null });
  });
});

describe('printFields', () => {
  const user = { id: 1, email: null, is_active: true, roles: ['admin', 'user'], groups: [], attributes: { age: 3 } };
  const fields = (isScreen: boolean): string[] =>
    printed(isScreen, {}, (output) => {
      printFields(output, user);
    }).split('\n');

  it('aligns the values on a screen', () => {
    expect(fields(true)).toEqual([
      'id          1',
      'email       -',
      'is_active   true',
      'roles       admin, user',
      'groups      -',
      'attributes  {"age":3}',
      '',
    ]);
  });

  it('separates name and value by a tab for a program', () => {
    expect(fields(false)[3]).toBe('roles\tadmin, user');
  });
});

describe('columns', () => {
  it('replaces control characters', () => {
    expect(columns('a\nb', null, 2)).toBe('a?b\t-\t2');
  });
});
