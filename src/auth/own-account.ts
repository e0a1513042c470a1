import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AccessPorts } from '../platform/access';
import { Caller, contextOf, introduce } from '../platform/context';
import { AnswersAtOnce } from '../platform/http';
import { GrantSet, Permissions } from '../rbac';
import { KnownUser, UserState } from '../users';
import { userInfoWithPermsDto } from './dto/user.dto';

export const OWN_ACCOUNT = 'own account';

interface Written {
  readonly grants: GrantSet;
  readonly text: string;
}

/** The own account with its permissions, which pages and services ask for all the time, where all of it is remembered. */
@Injectable()
export class OwnAccount {
  /** Held as long as what they were made of. */
  private readonly written = new WeakMap<KnownUser, Written>();

  constructor(
    private readonly ports: AccessPorts,
    private readonly users: UserState,
    private readonly permissions: Permissions,
    answers: AnswersAtOnce,
  ) {
    answers.add(OWN_ACCOUNT, (request) => this.answer(request));
  }

  /** Open during a change of password and an enrolment, too, like the route: any caller who stands is let in. */
  private answer(request: FastifyRequest): string | undefined {
    const caller = this.caller(request);
    const user = caller && this.users.peek(caller.userId);
    const grants = caller && this.permissions.peek(caller.userId);
    if (!caller || !user || !grants) return undefined;
    introduce(contextOf(request), caller);
    return this.textOf(user, grants);
  }

  private caller(request: FastifyRequest): Caller | undefined {
    try {
      return this.ports.authenticator.peek(request);
    } catch {
      // Why nobody is let in is the guard's to say.
      return undefined;
    }
  }

  private textOf(user: KnownUser, grants: GrantSet): string {
    const known = this.written.get(user);
    if (known?.grants === grants) return known.text;
    const text = JSON.stringify(userInfoWithPermsDto(user, grants));
    this.written.set(user, { grants, text });
    return text;
  }
}
