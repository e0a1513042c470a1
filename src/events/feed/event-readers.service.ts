import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { OAuthClientAuthenticator, PermissionChecker, UserAdmissionService } from '../../platform/access';
import { platformErrors } from '../../platform/errors';
import { eventPermissions } from './event-feed.permissions';

/** The permission that also shows names to users, who can read them in the audit log. Clients cannot read that. */
const NAMES = 'audit:read';

/** A reader of the feed, at the time of the check. */
export interface EventReader {
  /** Id of the user or of the OAuth client. */
  readonly id: string;
  /** Whether it may see the names of actors and subjects, besides their ids. */
  readonly seesNames: boolean;
}

/** Checks the reader of a request, again and again while a stream is open. */
@Injectable()
export class EventReadersService {
  constructor(
    private readonly users: UserAdmissionService,
    private readonly clients: OAuthClientAuthenticator,
    private readonly permissions: PermissionChecker,
  ) {}

  /** Errors: those of the authentication, `permission_denied`. */
  async require(request: FastifyRequest): Promise<EventReader> {
    const client = await this.clients.authenticate(request);
    if (client) {
      if (!client.scopes.includes(eventPermissions.read)) throw this.denied();
      return { id: client.id, seesNames: false };
    }
    const { userId } = await this.users.require(request);
    if (!(await this.permissions.isGranted(userId, eventPermissions.read))) throw this.denied();
    return { id: userId, seesNames: await this.permissions.isGranted(userId, NAMES) };
  }

  private denied(): Error {
    return platformErrors.permissionDenied({ params: this.permissions.describe(eventPermissions.read) });
  }
}
