import { Injectable } from '@nestjs/common';
import { AuditService, AuditEntry } from '../audit';
import { authErrors } from '../auth';
import { Transactions } from '../platform/database';
import { isStorable } from '../platform/util';
import { Actor, DefaultRoleService, NamedRole, NamedRolesResult, Role, RoleLeftOut } from '../rbac';
import { avatarPath, changedAttributes, UserEventsService, UserCache, userActs } from '../users';
import { AttributeValues, FileAttributesService, FileValues, GivenValues } from '../users/attributes';
import { Candidate, ImportNote } from './candidate';
import { AllLeftOut, hashOf, notesOf } from './import-notes';
import { Verdict } from './import-plan';
import { ImportedCredentialsService } from './imported-credentials.service';
import { ImportedMembershipsService, MembershipPlans } from './imported-memberships.service';
import { LoginName } from './login-name';
import { ImportRepository, Link, NewAccount } from './import.repository';
import { importExportActs } from './import-export.acts';

export interface Written {
  readonly verdicts: readonly Verdict[];
  /** The additional notes of each verdict, by position. */
  readonly notes: readonly (readonly ImportNote[])[];
  /** The named roles that each verdict's user gets, beside the default role, by position. */
  readonly rolesGiven: readonly (readonly NamedRole[])[];
  /** The named roles that each verdict's user does not get, by position. */
  readonly rolesLeftOut: readonly (readonly RoleLeftOut[])[];
}

/** What one dry run knows of the users before. It writes nothing that a later batch could find. */
export interface ImportPlans {
  readonly memberships: MembershipPlans;
  /** Unique values of attributes. */
  readonly taken: Set<string>;
}

interface WriteOrder {
  readonly source: { readonly name: string };
  readonly withRoles: boolean;
  readonly givesRoles?: boolean;
  readonly by: Actor;
}

const NO_NAMED_ROLES: NamedRolesResult = { given: new Map(), leftOut: new Map() };

type Named<R extends Verdict['result']> = Extract<Verdict, { result: R }>;

const only = <R extends Verdict['result']>(verdicts: readonly Verdict[], result: R): Named<R>[] =>
  verdicts.filter((verdict): verdict is Named<R> => verdict.result === result);

/** Writes the verdicts of a batch and their audit entries in a few statements. */
@Injectable()
export class ImportWriterService {
  constructor(
    private readonly repository: ImportRepository,
    private readonly defaultRole: DefaultRoleService,
    private readonly memberships: ImportedMembershipsService,
    private readonly credentials: ImportedCredentialsService,
    private readonly attributes: FileAttributesService,
    private readonly userCache: UserCache,
    private readonly events: UserEventsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** Runs in the caller's transaction. Throws `escalation_denied` or `default_role_unavailable`. */
  async write(order: WriteOrder, planned: readonly Verdict[]): Promise<Written> {
    const made = only(planned, 'made');
    const merged = only(planned, 'merged');
    const attributes = await this.attributes.read(made.map(givenOf));
    const roles = await this.insert(order, made, attributes);
    await this.repository.insertLinks(order.source.name, [...made, ...merged].map(linkOf));
    const completed = await this.complete(order, only(planned, 'completed'));
    const verdicts = planned.map((verdict) => asWritten(verdict, completed));
    await this.audit.recordAll(merged.map((verdict) => mergedEvent(order, verdict)));
    const joining = order.withRoles ? [...made, ...merged] : [];
    const leftOut = await this.memberships.join(order.source.name, joining);
    return written(order, verdicts, { ...leftOut, ofAttributes: attributes.leftOut }, roles);
  }

  /** The result or the error that `write` would have. Writes nothing. */
  async rehearse(order: WriteOrder, verdicts: readonly Verdict[], plans: ImportPlans): Promise<Written> {
    const made = only(verdicts, 'made');
    const roles = made.length > 0 ? await this.transactions.run(() => this.rehearseRoles(order, made)) : NO_NAMED_ROLES;
    const joining = order.withRoles ? [...made, ...only(verdicts, 'merged')] : [];
    const leftOut = await this.memberships.rehearse(order.source.name, joining, plans.memberships);
    const attributes = await this.attributes.read(made.map(givenOf), plans.taken);
    return written(order, verdicts, { ...leftOut, ofAttributes: attributes.leftOut }, roles);
  }

  private async rehearseRoles(order: WriteOrder, made: readonly Named<'made'>[]): Promise<NamedRolesResult> {
    const role = await this.defaultRoleFor(order);
    return order.givesRoles ? this.memberships.rehearseNamed(order.by, made, role) : NO_NAMED_ROLES;
  }

  private async insert(
    order: WriteOrder,
    made: readonly Named<'made'>[],
    attributes: FileValues,
  ): Promise<NamedRolesResult> {
    if (made.length === 0) return NO_NAMED_ROLES;
    const role = await this.defaultRoleFor(order);
    const accounts = made.map((verdict) => accountOf(verdict, attributes.values.get(verdict.userId)));
    await this.repository.insertAccounts(accounts);
    await this.attributes.store(attributes);
    await this.defaultRole.giveAll(
      role,
      made.map(({ userId }) => userId),
    );
    await this.audit.recordAll(made.map((verdict, place) => madeEvent(order, verdict, accounts[place], role.name)));
    await this.credentials.add(made);
    const roles = order.givesRoles ? await this.memberships.giveNamed(order.by, made, role) : NO_NAMED_ROLES;
    await this.transactions.afterCommit(async () => {
      await Promise.all(
        made.map(({ userId, username }) => this.events.emitCreated({ userId, username, source: 'import' })),
      );
    });
    return roles;
  }

  private async defaultRoleFor({ by }: WriteOrder): Promise<Role> {
    const role = await this.defaultRole.givenBy(by);
    if (!role) throw authErrors.defaultRoleUnavailable();
    return role;
  }

  /** Returns the users who got a password. */
  private async complete(order: WriteOrder, awaiting: readonly Named<'completed'>[]): Promise<ReadonlySet<string>> {
    if (awaiting.length === 0) return new Set();
    const passwords = awaiting.flatMap(({ userId, candidate }) => {
      const passwordHash = hashOf(candidate);
      const { mustChangePassword } = candidate;
      return passwordHash === null ? [] : [{ userId, passwordHash, mustChangePassword }];
    });
    const completed = await this.repository.addPasswords(passwords);
    const written = awaiting.filter(({ userId }) => completed.has(userId));
    await this.audit.recordAll(written.map((verdict) => completedEvent(order, verdict)));
    for (const userId of completed) await this.userCache.invalidate(userId);
    return completed;
  }
}

function written(
  { givesRoles = false }: WriteOrder,
  verdicts: readonly Verdict[],
  leftOut: AllLeftOut,
  roles: NamedRolesResult,
): Written {
  const givenTo = (verdict: Verdict): readonly NamedRole[] =>
    verdict.result === 'made' ? (roles.given.get(verdict.userId) ?? []) : [];
  const leftOutOf = (verdict: Verdict): readonly RoleLeftOut[] => {
    if (verdict.result === 'made') return roles.leftOut.get(verdict.userId) ?? [];
    return verdict.result === 'merged' && givesRoles ? verdict.candidate.roles.map(ofAccount) : [];
  };
  return {
    verdicts,
    notes: verdicts.map((verdict) => notesOf(verdict, leftOut)),
    rolesGiven: verdicts.map(givenTo),
    rolesLeftOut: verdicts.map(leftOutOf),
  };
}

const ofAccount = (role: string): RoleLeftOut => ({ role, why: 'account_exists' });

/** Reports a user as unchanged if the account has got a password since the plan. */
function asWritten(verdict: Verdict, completed: ReadonlySet<string>): Verdict {
  if (verdict.result !== 'completed' || completed.has(verdict.userId)) return verdict;
  return { result: 'unchanged', candidate: verdict.candidate };
}

const givenOf = ({ userId, candidate }: Named<'made'>): GivenValues => ({ userId, given: candidate.attributes });

const linkOf = ({ result, userId, candidate }: Named<'made'> | Named<'merged'>): Link => ({
  sourceId: candidate.sourceId,
  userId,
  made: result === 'made',
});

const formerNames = (former: LoginName | undefined): Pick<NewAccount, 'formerUsername' | 'formerUsernameKey'> => ({
  formerUsername: former?.text ?? null,
  formerUsernameKey: former?.key ?? null,
});

const termsOf = ({ terms }: Candidate): Pick<NewAccount, 'termsVersion' | 'termsAcceptedAt'> => ({
  termsVersion: terms?.version ?? null,
  termsAcceptedAt: terms?.at ?? null,
});

function accountOf(
  { userId, username, former, candidate }: Named<'made'>,
  attributes: AttributeValues = {},
): NewAccount {
  const passwordHash = hashOf(candidate);
  return {
    id: userId,
    username,
    ...formerNames(former),
    nickname: candidate.nickname,
    avatar: candidate.avatar ?? avatarPath(),
    email: candidate.email?.display ?? null,
    emailKey: candidate.email?.key ?? null,
    emailVerified: candidate.emailVerified,
    phone: candidate.phone ?? null,
    phoneVerified: candidate.phoneVerified,
    locale: candidate.locale,
    status: candidate.status,
    passwordHash,
    mustChangePassword: candidate.mustChangePassword && passwordHash !== null,
    attributes,
    ...termsOf(candidate),
    createdAt: candidate.createdAt ?? null,
  };
}

/** Where an imported account comes from, for the audit log. */
interface ImportOrigin {
  readonly source: 'import';
  readonly from: string;
  readonly source_id: string;
}

const origin = ({ source }: WriteOrder, { candidate }: Verdict): ImportOrigin => ({
  source: 'import',
  from: source.name,
  source_id: candidate.sourceId,
});

/** Without names that the database cannot store. They are noted as left out. */
function membershipsFor({ withRoles }: WriteOrder, { candidate: { roles, groups, organizations } }: Verdict): object {
  if (!withRoles) return {};
  const paths = groups.map((names) => names.join('/')).filter(isStorable);
  return {
    imported_roles: roles.filter(isStorable),
    ...(paths.length > 0 && { imported_groups: paths }),
    ...(organizations.length > 0 && { imported_organizations: organizations.flatMap(({ name }) => name || []) }),
  };
}

const targetOf = ({ userId, username }: Named<'made' | 'merged' | 'completed'>): AuditEntry['target'] => ({
  type: 'user',
  id: userId,
  label: username,
});

function madeEvent(
  order: WriteOrder,
  verdict: Named<'made'>,
  account: NewAccount | undefined,
  role: string,
): AuditEntry {
  return userActs.create({
    target: targetOf(verdict),
    after: {
      ...origin(order, verdict),
      ...(account?.formerUsername && { former_username: account.formerUsername }),
      email: account?.email,
      email_verified: account?.emailVerified,
      phone: account?.phone,
      status: account?.status,
      roles: [role],
      ...changedAttributes({}, account?.attributes ?? {}),
      ...membershipsFor(order, verdict),
    },
  });
}

const mergedEvent = (order: WriteOrder, verdict: Named<'merged'>): AuditEntry =>
  importExportActs.merge({
    target: targetOf(verdict),
    after: { ...origin(order, verdict), ...membershipsFor(order, verdict) },
  });

const completedEvent = (order: WriteOrder, verdict: Named<'completed'>): AuditEntry =>
  userActs.update({
    target: targetOf(verdict),
    after: { ...origin(order, verdict), password: 'imported' },
  });
