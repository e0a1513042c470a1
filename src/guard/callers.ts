import { Caller } from '../platform/context';

const CALLER = Symbol('castellan.remote_caller');

interface Carrier {
  [CALLER]?: Caller;
}

export function setCaller(request: object, caller: Caller): void {
  (request as Carrier)[CALLER] = caller;
}

export function findCaller(request: object): Caller | undefined {
  return (request as Carrier)[CALLER];
}
