import { Injectable } from '@nestjs/common';
import { DutyBearer, PendingDutiesService, PendingDuty } from '../../platform/access';
import { ActingUser } from '../../platform/context';
import { allOf, andThen, MaybePromise } from '../../platform/util';
import { PageGrants, PermissionsService } from '../../rbac';
import { sessionErrors } from '../../session';
import { TermsService, ShownUsersService, UserView } from '../../users';
import { Attribute, UserAttributesService } from '../../users/attributes';
import { accountDto, UserInfoWithPermsDto } from './dto/user.dto';

/** Whose account it is, with what the session adds. */
export interface SessionHolder extends DutyBearer {
  readonly actor?: ActingUser | undefined;
}

/** The JSON is cached without what depends on the session. */
function withSession(json: string, pending: PendingDuty | null, actor: ActingUser | undefined): string {
  const named = actor && { actor: { id: actor.userId, username: actor.username } };
  return `${json.slice(0, -1)},${JSON.stringify({ pending, ...named }).slice(1)}`;
}

interface Serialized {
  readonly attributes: readonly Attribute[];
  readonly grants: PageGrants;
  readonly json: string;
}

/** The caller's account with permissions. Pages and services read it all the time. */
@Injectable()
export class OwnAccountService {
  /**
   * Keyed by the cached user and valid for the attributes and grants it was built from. All are replaced when they change.
   */
  private readonly serialized = new WeakMap<UserView, Serialized>();

  constructor(
    private readonly users: ShownUsersService,
    private readonly permissions: PermissionsService,
    private readonly duties: PendingDutiesService,
    private readonly terms: TermsService,
    private readonly attributes: UserAttributesService,
  ) {}

  /**
   * The JSON of a `UserInfoWithPermsDto`. Throws `session_revoked`.
   *
   * @param options.fromDatabase reads the permissions past the cache
   */
  json(holder: SessionHolder, { fromDatabase = false } = {}): MaybePromise<string> {
    const { userId, actor } = holder;
    if (fromDatabase) return this.permissions.reload(userId).then(() => this.json(holder));
    const found = allOf([
      this.users.get(userId),
      this.attributes.all(),
      this.permissions.forPages(userId),
      this.duties.list(holder),
    ]);
    return andThen(found, ([user, attributes, grants, pending]) => {
      if (!user) throw sessionErrors.sessionRevoked();
      return withSession(this.jsonOf(user, attributes, grants), pending, actor);
    });
  }

  /** The account of a user in whose name no other acts. */
  async describe(user: UserView): Promise<UserInfoWithPermsDto> {
    const { id: userId, mustChangePassword } = user;
    const mustAcceptTerms = await this.terms.isDue(user);
    const mustGiveAttributes = await this.attributes.isDue(user.attributes);
    const pending = await this.duties.list({ userId, mustChangePassword, mustAcceptTerms, mustGiveAttributes });
    const [shown, held] = [await this.users.show(user), await this.permissions.forPages(userId)];
    return { ...accountDto(shown, await this.attributes.all(), held), pending };
  }

  private jsonOf(user: UserView, attributes: readonly Attribute[], grants: PageGrants): string {
    const known = this.serialized.get(user);
    if (known?.grants === grants && known.attributes === attributes) return known.json;
    const json = JSON.stringify(accountDto(user, attributes, grants));
    this.serialized.set(user, { attributes, grants, json });
    return json;
  }
}
