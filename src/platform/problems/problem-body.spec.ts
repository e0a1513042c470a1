import { join } from 'node:path';
import { readTexts } from '../../../test/support/texts';
import { projectRoot } from '../config';
import { platformErrors, ProblemError } from '../errors';
import { TranslatorService } from '../i18n';
import { problemBody } from './problem-body';

let translator: TranslatorService;

beforeAll(async () => {
  translator = await readTexts(join(projectRoot, 'i18n'));
});

describe('problemBody', () => {
  it('words the problem in the language, with its values, and leaves out what is not there', () => {
    const error = platformErrors.permissionDenied({ params: { permission: 'role:read', scope: 'iam' } });
    expect(problemBody(error, 'en', 'id-1', translator)).toEqual({
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail: 'You need role:read on scope iam.',
      code: 'permission_denied',
      request_id: 'id-1',
      params: { permission: 'role:read', scope: 'iam' },
    });
    expect(problemBody(error, 'zh', 'id-1', translator).detail).toMatch(
      /\p{Script=Han}.*role:read|role:read.*\p{Script=Han}/u,
    );
  });

  it('words each field', () => {
    const error = platformErrors.validationFailed({
      fields: [{ field: 'name', code: 'min_length', params: { min: 3 } }],
    });
    expect(problemBody(error, 'en', '', translator).errors).toEqual([
      { field: 'name', code: 'min_length', detail: 'Too short: use at least 3 characters.' },
    ]);
  });

  it.each(['min_length', 'min_items'])('says of %s one that the field is required', (code) => {
    const error = platformErrors.validationFailed({ fields: [{ field: 'name', code, params: { min: 1 } }] });
    const detail = 'This field is required.';
    expect(problemBody(error, 'en', '', translator).errors).toEqual([{ field: 'name', code, detail }]);
  });

  it('says no more than the status where a host gave its error no text', () => {
    const error = new ProblemError({ code: 'teapot', status: 418 }, { fields: [{ field: 'spout', code: 'short' }] });
    expect(problemBody(error, 'zh', '', translator)).toMatchObject({
      title: "I'm a Teapot",
      detail: "I'm a Teapot",
      errors: [{ detail: "I'm a Teapot" }],
    });
  });
});
