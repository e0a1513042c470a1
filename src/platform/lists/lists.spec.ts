import { EncryptionKeys, SecretBox } from '../crypto';
import { ProblemError } from '../errors';
import { checkInput } from '../http/input';
import { CursorsService } from './cursors.service';
import { listByPage, pageOf, PageQueryDto } from './page';
import { PageOrCursorQueryDto, windowOf } from './page-request';

const box = (): SecretBox => new SecretBox(EncryptionKeys.parse(EncryptionKeys.generate()));
const shape = { item: (name: string) => ({ name }), position: (name: string) => [name] };

function problemOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof ProblemError) return { code: error.code, fields: error.fields };
    throw error;
  }
}

const rejection = (code: string, field: string): object => ({ code: 'validation_failed', fields: [{ code, field }] });

describe('pages', () => {
  it('returns the first twenty items by default', () => {
    expect(pageOf(checkInput(PageQueryDto, {}))).toEqual({ page: 1, pageSize: 20, limit: 20, offset: 0 });
  });

  it('starts after the previous pages', () => {
    const query = checkInput(PageQueryDto, { page: '3', page_size: '100' });
    expect(pageOf(query)).toEqual({ page: 3, pageSize: 100, limit: 100, offset: 200 });
  });

  it.each([
    [{ page: '0' }, 'page', 'min'],
    [{ page: '-1' }, 'page', 'min'],
    [{ page: '1.5' }, 'page', 'type_integer'],
    [{ page: '' }, 'page', 'type_integer'],
    [{ page_size: '0' }, 'page_size', 'min'],
    [{ page_size: '101' }, 'page_size', 'max'],
    [{ page_size: 'all' }, 'page_size', 'type_integer'],
  ])('rejects %j', (query, field, code) => {
    expect(problemOf(() => checkInput(PageQueryDto, query))).toMatchObject(rejection(code, field));
  });

  it('marks an estimated total, and only that', () => {
    const page = pageOf({});
    expect(listByPage(page, ['a'], { total: 1, isEstimate: false })).toEqual({
      items: ['a'],
      total: 1,
      page: 1,
      page_size: 20,
    });
    expect(listByPage(page, [], { total: 12_000, isEstimate: true })).toMatchObject({
      total: 12_000,
      total_is_estimate: true,
    });
  });
});

describe('CursorsService', () => {
  const cursors = new CursorsService(box());
  const start = cursors.read('users', { cursor: '', page_size: 2 });
  const first = cursors.answer('users', start, ['ann', 'bob', 'cid'], shape);
  const next = first.next_cursor!;

  it('continues after the last item of the page', () => {
    expect(start).toEqual({ pageSize: 2, limit: 3, after: undefined });
    expect(first).toEqual({ items: [{ name: 'ann' }, { name: 'bob' }], next_cursor: next, page_size: 2 });
    expect(cursors.read('users', { cursor: next }).after).toEqual(['bob']);
  });

  it('returns no cursor on the last page, even if it is full', () => {
    expect(cursors.answer('users', start, ['ann', 'bob'], shape).next_cursor).toBeNull();
    expect(cursors.answer('users', start, [], shape)).toEqual({ items: [], next_cursor: null, page_size: 2 });
  });

  it.each([
    ['of another list', next, 'audit', cursors],
    ['of another service', next, 'users', new CursorsService(box())],
    [
      'with another position',
      `${Buffer.from('["zoe"]').toString('base64url')}${next.slice(next.indexOf('.'))}`,
      'users',
      cursors,
    ],
    ['cut short', next.slice(0, -2), 'users', cursors],
    ['without a seal', next.slice(0, next.indexOf('.')), 'users', cursors],
    ['made of rubbish', 'rubbish', 'users', cursors],
    ['made of a dot', '.', 'users', cursors],
  ])('rejects %s', (_, cursor, list, reader) => {
    expect(problemOf(() => reader.read(list, { cursor }))).toEqual(rejection('cursor', 'cursor'));
  });
});

describe('windowOf', () => {
  it('selects the cursor form for any cursor, even an empty one', () => {
    expect(windowOf(new PageOrCursorQueryDto()).by).toBe('page');
    expect(windowOf({ page: 1 }).by).toBe('page');
    expect(windowOf({ cursor: '' }).by).toBe('cursor');
  });

  it('rejects page and cursor together', () => {
    expect(problemOf(() => windowOf({ cursor: '', page: 1 }))).toEqual(rejection('page_or_cursor', 'page'));
  });
});
