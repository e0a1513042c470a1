import { join } from 'node:path';
import { readTexts } from '../../../../test/support/documents/texts';
import { projectRoot } from '../../config';
import { defineProblem, platformErrors, ProblemError } from '../../errors';
import { TranslatorService } from '../../i18n';
import { problemBody } from './problem-body';

let translator: TranslatorService;

beforeAll(async () => {
  translator = await readTexts(join(projectRoot, 'i18n'));
});

describe('problemBody', () => {
  it('translates the problem with its parameters and omits empty members', () => {
    const error = platformErrors.permissionDenied({ params: { permission: 'role:read', scope: 'iam' } });
    expect(problemBody(error, 'en', 'id-1', translator)).toEqual({
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail: 'You need the permission role:read in scope iam. Ask an administrator for it.',
      code: 'permission_denied',
      request_id: 'id-1',
      params: { permission: 'role:read', scope: 'iam' },
    });
    expect(problemBody(error, 'zh', 'id-1', translator).detail).toMatch(
      /\p{Script=Han}.*role:read|role:read.*\p{Script=Han}/u,
    );
  });

  it('translates each field', () => {
    const error = platformErrors.validationFailed({
      fields: [{ field: 'name', code: 'min_length', params: { min: 3 } }],
    });
    expect(problemBody(error, 'en', '', translator).errors).toEqual([
      { field: 'name', code: 'min_length', detail: 'Too short: use at least 3 characters.' },
    ]);
  });

  it.each(['min_length', 'min_items'])('reports a violated %s of one as a required field', (code) => {
    const error = platformErrors.validationFailed({ fields: [{ field: 'name', code, params: { min: 1 } }] });
    const detail = 'This field is required.';
    expect(problemBody(error, 'en', '', translator).errors).toEqual([{ field: 'name', code, detail }]);
  });

  it('has the texts of a problem that a host defines, in the language or else in English', () => {
    const closed = defineProblem('till_closed', {
      status: 409,
      en: 'Till {till} is closed.',
      zh: '{till}号收银台已关闭。',
    });
    const english = defineProblem('till_empty', { status: 409, en: 'Till {till} is empty.' });
    const params = { till: 7 };
    const detail = (error: ProblemError, language: 'en' | 'zh') => problemBody(error, language, '', translator).detail;
    expect(detail(closed({ params }), 'en')).toBe('Till 7 is closed.');
    expect(detail(closed({ params }), 'zh')).toBe('7号收银台已关闭。');
    expect(detail(english({ params }), 'zh')).toBe('Till 7 is empty.');
    expect(problemBody(closed({ params }), 'zh', '', translator)).toMatchObject({
      title: '发生冲突',
      code: 'till_closed',
      params,
    });
  });

  it("uses the status text for a host's error without a text", () => {
    const error = new ProblemError({ code: 'teapot', status: 418 }, { fields: [{ field: 'spout', code: 'short' }] });
    expect(problemBody(error, 'zh', '', translator)).toMatchObject({
      title: "I'm a Teapot",
      detail: "I'm a Teapot",
      errors: [{ detail: "I'm a Teapot" }],
    });
  });
});
