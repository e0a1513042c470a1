import { declaredErrors, defineErrors } from './define-errors';
import { ProblemError } from './problem.error';

const errors = defineErrors({ outOfPaper: 409, jammed: 503 });

describe('defineErrors', () => {
  it('derives the code from the name, in snake case', () => {
    expect([errors.outOfPaper.code, errors.outOfPaper.status]).toEqual(['out_of_paper', 409]);
    expect(declaredErrors()).toContainEqual({ code: 'out_of_paper', status: 409 });
  });

  it('creates errors with the given options only', () => {
    const cause = new Error('the tray');
    const error = errors.jammed({
      params: { tray: 2 },
      fields: [{ field: 'tray', code: 'empty' }],
      retryAfterSeconds: 5,
      cause,
    });
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      code: 'jammed',
      status: 503,
      params: { tray: 2 },
      fields: [{ field: 'tray', code: 'empty' }],
      retryAfterSeconds: 5,
      cause,
    });
    expect(errors.jammed()).toMatchObject({ params: {}, fields: [], retryAfterSeconds: undefined });
  });

  it('allows two modules to share a code, but not with different statuses', () => {
    expect(defineErrors({ jammed: 503 }).jammed().code).toBe('jammed');
    expect(() => defineErrors({ jammed: 500 })).toThrow('Error code jammed is declared with status 503 and 500');
  });
});
