import { platformErrors } from '../../platform/errors';
import { decide, naming } from './declared-item';

describe('decide', () => {
  it.each([
    ['writes what is new', undefined, 'a', undefined, 'write'],
    ['leaves what an operator made before', undefined, 'a', 'b', 'leave'],
    ['keeps what an operator made alike', undefined, 'a', 'a', 'keep'],
    ['keeps what did not change', 'a', 'a', 'a', 'keep'],
    ['keeps what an operator changed', 'a', 'a', 'b', 'keep'],
    ['keeps what an operator deleted', 'a', 'a', undefined, 'keep'],
    ['writes what the code changed', 'a', 'b', 'a', 'write'],
    ['leaves what code and operator changed', 'a', 'b', 'c', 'leave'],
    ['leaves what the code changed and an operator deleted', 'a', 'b', undefined, 'leave'],
  ])('%s', (_, last, declared, current, expected) => {
    expect(decide({ last, declared, current })).toBe(expected);
    const wrap = (content: string | undefined) => content && { y: { content }, x: [1] };
    expect(decide({ last: wrap(last), declared: { x: [1], y: { content: declared } }, current: wrap(current) })).toBe(
      expected,
    );
  });
});

describe('naming', () => {
  it('names the declaration and its faulty fields in one sentence', async () => {
    const fields = [{ field: 'name', code: 'role_name' }];
    const reject = () => Promise.reject(platformErrors.validationFailed({ fields }));
    await expect(naming('role "x"', reject)).rejects.toThrow('The declared role "x" is rejected: name (role_name)');
    await expect(naming('role "x"', () => Promise.reject(platformErrors.notFound()))).rejects.toThrow(': not_found');
  });
});
