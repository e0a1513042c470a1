import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { ProblemParams } from '../../errors';
import { STATUS_CODES } from 'node:http';
import { FieldProblem, ProblemError } from '../../errors';
import { fillText, Language, TextParams, TranslatorService } from '../../i18n';

export class FieldProblemDto {
  @ApiProperty({
    description: 'Path of the field, as in `updates[2].value`; empty for the body as a whole',
    example: 'username',
  })
  field: string;

  @ApiProperty({ description: 'Stable name of the violated rule', example: 'min_length' })
  code: string;

  @ApiProperty({ description: "The rule in the caller's language", example: 'Too short: use at least 3 characters.' })
  detail: string;
}

/** `application/problem+json` (RFC 9457) with extension members. */
@ApiSchema({ description: 'What went wrong (RFC 9457): `code` for programs, `detail` for people' })
export class ProblemDto {
  @ApiProperty({ example: 'about:blank' })
  type: string;

  @ApiProperty({ description: "The status in the caller's language", example: 'The status, in words' })
  title: string;

  @ApiProperty({ example: 403 })
  status: number;

  @ApiProperty({ description: "What happened, in the caller's language", example: 'What happened, in a sentence' })
  detail: string;

  @ApiProperty({ description: 'Stable, never translated', example: 'permission_denied' })
  code: string;

  @ApiProperty({
    description: 'Also in the `X-Request-Id` header and in the log lines of the request',
    example: '01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c4',
  })
  request_id: string;

  @ApiPropertyOptional({ type: [FieldProblemDto], description: 'Present for a 400 about fields' })
  errors?: FieldProblemDto[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Parameters of the message',
    example: { permission: 'role:read', scope: 'iam' },
  })
  params?: ProblemParams;
}

type Wording = (key: string, fallback: string, params?: TextParams) => string;

/** Errors of `defineErrors` in a host have no text here. */
const wordingIn =
  (language: Language, translator: TranslatorService): Wording =>
  (key, fallback, params) =>
    translator.has(language, 'errors', key) ? translator.text(language, 'errors', key, params) : fallback;

/** A minimum of one character or entry: the value was empty. */
const isEmptyValue = (code: string, params: ProblemParams = {}): boolean =>
  params['min'] === 1 && (code === 'min_length' || code === 'min_items');

export function problemBody(
  error: ProblemError,
  language: Language,
  requestId: string,
  translator: TranslatorService,
): ProblemDto {
  const word = wordingIn(language, translator);
  const title = word(`titles.${error.status}`, STATUS_CODES[error.status] ?? '');
  const fieldProblem = ({ field, code, params }: FieldProblem): FieldProblemDto => ({
    field,
    code,
    detail: word(`fields.${isEmptyValue(code, params) ? 'required' : code}`, title, params),
  });
  return {
    type: 'about:blank',
    title,
    status: error.status,
    detail: error.texts
      ? fillText(error.texts[language] ?? error.texts.en, error.params)
      : word(`codes.${error.code}`, title, error.params),
    code: error.code,
    request_id: requestId,
    ...(error.fields.length > 0 && { errors: error.fields.map(fieldProblem) }),
    ...(Object.keys(error.params).length > 0 && { params: error.params }),
  };
}
