import { ArgumentMetadata, Injectable, PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, ValidationError } from 'class-validator';
import { FieldProblem, platformErrors } from '../errors';
import { FieldContext } from './fields';

type Constructor = new () => object;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const childPath = (parent: string, error: ValidationError): string => {
  if (/^\d+$/.test(error.property)) return `${parent}[${error.property}]`;
  return parent === '' ? error.property : `${parent}.${error.property}`;
};

function problemsOf(error: ValidationError, parent: string): FieldProblem[] {
  const field = childPath(parent, error);
  const nested = (error.children ?? []).flatMap((child) => problemsOf(child, field));
  if (error.constraints?.['whitelistValidation']) return [{ field, code: 'unknown_field' }, ...nested];
  const context = error.contexts?.['field'] as FieldContext | undefined;
  const violation = context?.rule(error.value);
  if (violation) return [{ field, ...violation }];
  if (nested.length > 0) return nested;
  return error.constraints ? [{ field, code: 'type_object' }] : [];
}

/** Turns plain input into `type`, or throws `validation_failed` naming every field that broke a rule. */
export async function checkInput<T extends object>(type: new () => T, input: unknown): Promise<T> {
  if (input !== undefined && input !== null && !isRecord(input)) {
    throw platformErrors.validationFailed({ fields: [{ field: '', code: 'type_object' }] });
  }
  const instance = plainToInstance(type, input ?? {}, { exposeUnsetFields: false });
  const errors = await validate(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    validationError: { target: false, value: true },
  });
  if (errors.length === 0) return instance;
  throw platformErrors.validationFailed({ fields: errors.flatMap((error) => problemsOf(error, '')) });
}

/** Checks bodies and queries against their DTO class; unknown fields are refused, so nothing is assigned in bulk. */
@Injectable()
export class InputPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if ((type !== 'body' && type !== 'query') || !metatype || metatype === Object) return value;
    return checkInput(metatype as Constructor, value);
  }
}
