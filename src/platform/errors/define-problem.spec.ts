import { defineErrors } from './define-errors';
import { defineProblem } from './define-problem';
import './platform.errors';

const en = 'The order is closed.';

describe('defineProblem', () => {
  it('creates problems with code, status and texts', () => {
    const orderClosed = defineProblem('order_closed', { status: 409, en });
    expect(orderClosed({ params: { order: 7 } })).toMatchObject({
      code: 'order_closed',
      status: 409,
      texts: { en },
      params: { order: 7 },
    });
    const again = defineProblem('order_closed', { status: 409, en });
    expect([again.code, again.status]).toEqual(['order_closed', 409]);
  });

  it.each([
    ['not_found', { status: 404, en }, 'Problem "not_found" has the code of an error that exists'],
    ['orderClosed', { status: 409, en }, 'The code "orderClosed" of a problem is not snake case'],
    ['order_late', { status: 200, en }, 'Problem "order_late" has status 200'],
    ['order_late', { status: 409, en: '' }, 'Problem "order_late" has no text'],
    ['order_closed', { status: 410, en }, 'Problem "order_closed" is defined twice'],
    ['shelf_empty', { status: 409, en }, 'Problem "shelf_empty" has the code of an error that exists'],
  ])('rejects %s with %o', (code, declaration, message) => {
    defineErrors({ shelfEmpty: 409 });
    defineProblem('order_closed', { status: 409, en });
    expect(() => defineProblem(code, declaration)).toThrow(message);
  });
});
