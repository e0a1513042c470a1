import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { Observable } from 'rxjs';
import { findContext, requestIn, runInRequest } from '../context';

/** Lets the audit and the log know the request of a handler. */
@Injectable()
export class IdentityContextInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = findContext(requestIn(context));
    if (!request) return next.handle();
    return new Observable((subscriber) => runInRequest(request, () => next.handle().subscribe(subscriber)));
  }
}
