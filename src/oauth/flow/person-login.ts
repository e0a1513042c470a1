import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Arrival, BrowserLogin, Entered, Entrance } from '../../auth';
import { contextOf } from '../../platform/context';
import { ProblemError } from '../../platform/errors';
import { Lockout } from '../../session';
import { EmailAddress, KnownUser, UserRepository, usersErrors, UserState } from '../../users';
import { Identities, provenEmail, UpstreamPerson } from '../identities';
import { oauthErrors } from '../oauth.errors';
import { AutoRegistration } from './auto-registration';
import { DeferredLinks } from './deferred-links';

const MOST_TRIES = 3;
/** Somebody else did at the same moment what this was about to do; a second look finds it done. */
const OVERTAKEN: ReadonlySet<string> = new Set([
  oauthErrors.identityTaken.code,
  usersErrors.emailTaken.code,
  usersErrors.usernameTaken.code,
]);

const isOvertaken = (error: unknown): boolean => error instanceof ProblemError && OVERTAKEN.has(error.code);

/** Logs in the person a provider vouches for, where it is known or can be said whose account is theirs. */
@Injectable()
export class PersonLogin {
  constructor(
    private readonly identities: Identities,
    private readonly users: UserRepository,
    private readonly userState: UserState,
    private readonly entrance: Entrance,
    private readonly logins: BrowserLogin,
    private readonly lockout: Lockout,
    private readonly newcomers: AutoRegistration,
    private readonly deferredLinks: DeferredLinks,
  ) {}

  /** undefined: nobody can say. Errors: `state_invalid`, `user_disabled`, `account_locked`, `rate_limited`, those of a registration. */
  async logIn(person: UpstreamPerson, request: FastifyRequest): Promise<Entered | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(person, request);
      } catch (error) {
        if (attempt === MOST_TRIES || !isOvertaken(error)) throw error;
      }
    }
  }

  private async attempt(person: UpstreamPerson, request: FastifyRequest): Promise<Entered | undefined> {
    const linked = await this.identities.find(person);
    if (linked) return this.enter(linked.userId, person, request);
    const email = provenEmail(person);
    const owner = email && (await this.users.findByEmail(email.key, { verified: true }));
    if (owner) return this.enter(owner.id, person, request, email);
    return this.newcomers.admit(person, contextOf(request));
  }

  /** @param matched the e-mail by which the account was found; it must still be theirs when the identity is linked. */
  private async enter(
    userId: string,
    person: UpstreamPerson,
    request: FastifyRequest,
    matched?: EmailAddress,
  ): Promise<Entered> {
    const context = contextOf(request);
    const user = await this.userState.find(userId);
    const { recognise, trustCookies } = await this.logins.traces(request);
    const device = recognise(user);
    // Nothing is guessed at here, but an account that is locked is locked to every login.
    const place = await this.lockout.take({ subject: userId, address: context.limitKey, ...(device && { device }) });
    try {
      const arrival: Arrival = {
        userId,
        method: `oauth:${person.provider.name}`,
        remember: true,
        refusal: oauthErrors.stateInvalid,
        trustCookies,
        isNewDevice: device === undefined,
        spend: (current) => this.refuseIfChanged(current, person, matched),
        // A new link is a new way in: not before the second factor.
        also: (current) => this.identities.link(current, person, oauthErrors.stateInvalid),
        deferred: this.deferredLinks.defer(person, matched),
      };
      const entered = await this.entrance.enter(arrival, context);
      await place.succeeded();
      return entered;
    } catch (error) {
      await place.abandoned();
      throw error;
    }
  }

  /** By what the account was found must still lead to it: a link that was cut meanwhile is not to be made again. */
  private async refuseIfChanged(user: KnownUser, person: UpstreamPerson, matched?: EmailAddress): Promise<void> {
    if (matched === undefined) {
      if ((await this.identities.find(person))?.userId !== user.id) throw oauthErrors.identityTaken();
    } else if (!user.emailVerified || user.emailKey !== matched.key) throw usersErrors.emailTaken();
  }
}
