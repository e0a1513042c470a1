import { Injectable, PipeTransform } from '@nestjs/common';
import { platformErrors } from '../errors';
import { isId } from './field-validator';

/** A path's id. One that cannot exist is answered like one that does not: 404. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!isId(value)) throw platformErrors.notFound();
    return value;
  }
}
