import { Injectable, PipeTransform } from '@nestjs/common';
import { platformErrors } from '../../errors';
import { isId } from '../../util';

/** Validates an id in a path. A malformed id is `not_found`, like an unknown one. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!isId(value)) throw platformErrors.notFound();
    return value;
  }
}
