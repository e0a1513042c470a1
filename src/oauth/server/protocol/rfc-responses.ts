import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { ProblemDto } from '../../../platform/problems';

/** RFC 6749 §5.2. */
export class OAuthErrorDto {
  @ApiProperty({ example: 'invalid_grant' }) error: string;
  @ApiPropertyOptional() error_description?: string;
}

const page = { schema: { type: 'string' as const } };
const schemaOf = (type: typeof OAuthErrorDto | typeof ProblemDto): object => ({
  schema: { $ref: getSchemaPath(type) },
});

/** What is wrong before the protocol, such as the host's name, is a problem as everywhere. */
const refusals = (statuses: number[], contents: () => Record<string, object>): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(OAuthErrorDto, ProblemDto),
    ...statuses.map((status) =>
      ApiResponse({
        status,
        description: '`error` as the RFC names it',
        content: { ...contents(), 'application/problem+json': schemaOf(ProblemDto) },
      }),
    ),
  );

/** The errors of a route as its RFC says them. */
export const RfcErrors = (...statuses: number[]): MethodDecorator =>
  refusals(statuses, () => ({ 'application/json': schemaOf(OAuthErrorDto) }));

/** The same where a browser shows a page; defects and outages are answered as JSON. */
export const PageErrors = (...statuses: number[]): MethodDecorator =>
  refusals(statuses, () => ({ 'text/html': page, 'application/json': schemaOf(OAuthErrorDto) }));

type Form = Readonly<Record<string, string>>;

/** A body as forms have it; the library knows the parameters. @param examples whole forms, by what they ask for */
export const FormBody = (
  properties: Form,
  required: string[],
  examples: Readonly<Record<string, Form>>,
): MethodDecorator =>
  applyDecorators(
    ApiConsumes('application/x-www-form-urlencoded'),
    ApiBody({
      examples: Object.fromEntries(Object.entries(examples).map(([summary, value]) => [summary, { value }])),
      schema: {
        type: 'object',
        // OpenAPI 3.0 knows no empty list of them.
        ...(required.length > 0 && { required }),
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, description]) => [name, { type: 'string', description }]),
        ),
      },
    }),
  );

/** A token, as it is revoked or introspected. */
export const TOKEN_FORM: Parameters<typeof FormBody> = [
  { token: 'An access or refresh token', token_type_hint: 'Where to look first' },
  ['token'],
  { token: { token: 'as-it-was-given', token_type_hint: 'refresh_token' } },
];
