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
import { ProblemDto } from '../../../platform/http/problems';

/** RFC 6749 §5.2. */
export class OAuthErrorDto {
  @ApiProperty({ example: 'invalid_grant' }) error: string;
  @ApiPropertyOptional() error_description?: string;
}

const page = { schema: { type: 'string' as const } };
const schemaOf = (type: typeof OAuthErrorDto | typeof ProblemDto): object => ({
  schema: { $ref: getSchemaPath(type) },
});

/** Errors before the protocol, such as an invalid host, are problems as on other routes. */
const errorResponses = (statuses: number[], contents: () => Record<string, object>): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(OAuthErrorDto, ProblemDto),
    ...statuses.map((status) =>
      ApiResponse({
        status,
        description: '`error` as defined by the RFC',
        content: { ...contents(), 'application/problem+json': schemaOf(ProblemDto) },
      }),
    ),
  );

/** Documents the errors of an RFC. */
export const RfcErrors = (...statuses: number[]): MethodDecorator =>
  errorResponses(statuses, () => ({ 'application/json': schemaOf(OAuthErrorDto) }));

/** Documents errors that browsers see as a page. Defects and outages are JSON. */
export const PageErrors = (...statuses: number[]): MethodDecorator =>
  errorResponses(statuses, () => ({ 'text/html': page, 'application/json': schemaOf(OAuthErrorDto) }));

type Form = Readonly<Record<string, string>>;

/**
 * Documents a form body. The library parses the parameters.
 * @param examples complete forms, by their summary
 */
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
        // OpenAPI 3.0 does not allow an empty list.
        ...(required.length > 0 && { required }),
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, description]) => [name, { type: 'string', description }]),
        ),
      },
    }),
  );

/** The form for revocation and introspection. */
export const TOKEN_FORM: Parameters<typeof FormBody> = [
  { token: 'An access or refresh token', token_type_hint: 'The kind of token to look up first' },
  ['token'],
  { token: { token: 'as-it-was-given', token_type_hint: 'refresh_token' } },
];
