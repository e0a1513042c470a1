import { Injectable } from '@nestjs/common';
import { ProblemError } from '../platform/errors';
import { checkInput } from '../platform/http/input';
import { isId, presentMembers } from '../platform/util';
import { RoleViewsService, userPermissions } from '../rbac';
import {
  AccountClosureService,
  AccountCreationService,
  AccountUpdateService,
  ChangeUserDto,
  CreateUserDto,
  ListUsersDto,
  UserDirectoryService,
} from '../user-admin';
import { ShownUsersService, UserLookupService, UserStatus, UserView } from '../users';
import type { AttributeValue } from '../users/attributes';
import { ActOptions, HostActsService } from './host-acts.service';
import { knownId } from './known-id';

export interface UserListOptions {
  /** As `keyword` of `GET /api/user`. */
  readonly keyword?: string;
  readonly status?: UserStatus;
  /** A role by name, by `scope:name` or by id. */
  readonly role?: string;
  /** Whether they have an authenticator app or a passkey. */
  readonly hasSecondFactor?: boolean;
  /** `name:value` of a searchable attribute. */
  readonly attribute?: string;
  /** 1 to 100. Default 20. */
  readonly limit?: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

export interface UserListPage {
  /** Newest first. */
  readonly items: readonly UserView[];
  /** null on the last page. */
  readonly nextCursor: string | null;
}

interface AccountValues {
  readonly email?: string | null;
  readonly emailVerified?: boolean;
  /** With country code, or of the region of setting `user.default_region`. */
  readonly phone?: string | null;
  readonly phoneVerified?: boolean;
  readonly nickname?: string | null;
  readonly locale?: 'en' | 'zh' | null;
  readonly mustChangePassword?: boolean;
  /** By name. Those left out stay, and null removes one. */
  readonly attributes?: Readonly<Record<string, AttributeValue | null>>;
}

export interface NewUserValues extends AccountValues {
  readonly username: string;
  /** Without one, the user logs in with a verified contact or another account. */
  readonly password?: string | null;
  /** Each by name, by `scope:name` or by id. */
  readonly roles?: readonly string[];
}

export interface ChangedUserValues extends AccountValues {
  readonly username?: string;
}

/** The names of the HTTP API, which its rules and their errors use. */
const accountFields = (values: AccountValues): Record<string, unknown> =>
  presentMembers({
    email: values.email,
    email_verified: values.emailVerified,
    phone: values.phone,
    phone_verified: values.phoneVerified,
    nickname: values.nickname,
    locale: values.locale,
    must_change_password: values.mustChangePassword,
    attributes: values.attributes,
  });

/**
 * Users, for the code of the application. The rules, the audit and the events are those of the HTTP API. Throws its
 * errors as `ProblemError`, whose fields have the names of the HTTP API.
 */
@Injectable()
export class UsersApi {
  constructor(
    private readonly lookup: UserLookupService,
    private readonly directory: UserDirectoryService,
    private readonly creation: AccountCreationService,
    private readonly updates: AccountUpdateService,
    private readonly closure: AccountClosureService,
    private readonly roles: RoleViewsService,
    private readonly acts: HostActsService,
    private readonly shown: ShownUsersService,
  ) {}

  /** By username, verified e-mail address or verified phone number. */
  async find(identifier: string): Promise<UserView | undefined> {
    const user = await this.lookup.findCurrent(identifier);
    return user && this.shown.show(user);
  }

  /** Undefined for an unknown id. */
  async findById(id: string): Promise<UserView | undefined> {
    if (!isId(id)) return undefined;
    try {
      return (await this.directory.find(id)).user;
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  /** Throws `validation_failed`, or `not_found` for an unknown role. */
  async list(options: UserListOptions = {}): Promise<UserListPage> {
    const { keyword, status, role, hasSecondFactor: has_second_factor, attribute, limit, cursor = '' } = options;
    const role_id = role === undefined ? undefined : (await this.roles.resolve(role)).id;
    const page_size = limit === undefined ? undefined : String(limit);
    const filters = { keyword, status, role_id, has_second_factor, attribute };
    const query = checkInput(ListUsersDto, presentMembers({ ...filters, page_size, cursor }));
    const page = await this.directory.list(query, ({ user }) => user);
    return { items: page.items, nextCursor: 'next_cursor' in page ? page.next_cursor : null };
  }

  /**
   * Throws `validation_failed`, `password_too_common`, `username_taken`, `email_taken`, `phone_taken`, `not_found` for
   * an unknown role, or `escalation_denied`.
   */
  async create(
    { username, password, roles = [], ...rest }: NewUserValues,
    options: ActOptions = {},
  ): Promise<UserView> {
    const role_ids = await Promise.all(roles.map(async (role) => (await this.roles.resolve(role)).id));
    const body = checkInput(CreateUserDto, {
      username,
      ...presentMembers({ password }),
      ...accountFields(rest),
      role_ids,
    });
    return this.acts.run(options, [userPermissions.administer], (actor) => this.creation.create(actor, body));
  }

  /**
   * Changes the given values. Throws `validation_failed`, `not_found`, `username_taken`, `email_taken`, `phone_taken`,
   * `last_admin`, `escalation_denied` or `reauthentication_required`.
   */
  async update(id: string, { username, ...rest }: ChangedUserValues, options: ActOptions = {}): Promise<UserView> {
    const body = checkInput(ChangeUserDto, { ...presentMembers({ username }), ...accountFields(rest) });
    return this.change(id, body, options);
  }

  /** Ends all sessions. Throws `not_found`, `last_admin` or `escalation_denied`. */
  disable(id: string, options: ActOptions = {}): Promise<UserView> {
    return this.change(id, { status: 'disabled' }, options);
  }

  /** Throws `not_found` or `escalation_denied`. */
  enable(id: string, options: ActOptions = {}): Promise<UserView> {
    return this.change(id, { status: 'active' }, options);
  }

  /** Deletes the user with all data of the user. Throws `not_found`, `last_admin` or `escalation_denied`. */
  delete(id: string, options: ActOptions = {}): Promise<void> {
    return this.acts.run(options, [userPermissions.administer], (actor) => this.closure.delete(actor, knownId(id)));
  }

  private async change(id: string, body: ChangeUserDto, options: ActOptions): Promise<UserView> {
    const changed = await this.acts.run(options, [userPermissions.administer], (actor) =>
      this.updates.change(actor, knownId(id), body),
    );
    return this.shown.show(changed);
  }
}
