import { Caller } from '../../platform/context';

const CALLER = Symbol('castellan.remote_caller');

const ORGANIZATION = Symbol('castellan.remote_organization');

interface Carrier {
  [CALLER]?: Caller;
  [ORGANIZATION]?: string;
}

export function setCaller(request: object, caller: Caller): void {
  (request as Carrier)[CALLER] = caller;
}

export function findCaller(request: object): Caller | undefined {
  return (request as Carrier)[CALLER];
}

export function setOrganization(request: object, id: string): void {
  (request as Carrier)[ORGANIZATION] = id;
}

/** Undefined: the request names none, or its route has no `@InOrganization()`. */
export function findOrganization(request: object): string | undefined {
  return (request as Carrier)[ORGANIZATION];
}
