import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config';
import { Caller, OAuthClientPrincipal } from '../../platform/context';
import { FieldProblem } from '../../platform/errors';
import { isId } from '../../platform/util';
import { UserRepository } from '../../users';
import { CheckedPermission } from '../permission/effective-grants';
import { PermissionChecksService } from '../authority/permission-checks.service';
import {
  Evaluation,
  EvaluationsRequest,
  EvaluationsSemantic,
  ReadEvaluation,
  readEvaluations,
  readSingle,
} from './evaluation-request';

/** The type of the subjects that Castellan knows; their ids are those of the users. */
const USER = 'user';

export type Denial = 'subject_unknown' | 'subject_disabled' | 'permission_denied';

/** The result of one evaluation. One with `problems` could not be evaluated. */
export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly denial: Denial; readonly checked: CheckedPermission | undefined }
  | { readonly allowed: false; readonly problems: readonly FieldProblem[] };

/** One decision, or those of each evaluation of the request in its order. */
export type Decisions = { readonly single: Decision } | { readonly list: readonly Decision[] };

/** The result that ends a request early (AuthZEN §7.1.2.1). */
const ENDS_AT: Readonly<Record<EvaluationsSemantic, boolean | undefined>> = {
  execute_all: undefined,
  deny_on_first_deny: false,
  permit_on_first_permit: true,
};

/** Evaluates requests of the OpenID AuthZEN Authorization API 1.0 by the permissions of the users. */
@Injectable()
export class AccessEvaluationsService {
  constructor(
    private readonly environment: Environment,
    private readonly users: UserRepository,
    private readonly checks: PermissionChecksService,
  ) {}

  /** Throws `validation_failed`, or `permission_denied` if a user without `permission:read` names another subject. */
  async evaluate(caller: Caller | OAuthClientPrincipal, body: unknown): Promise<Decision> {
    const evaluation = readSingle(body, this.environment.serviceScope);
    const [decision = UNKNOWN] = await this.decide(caller, [evaluation]);
    return decision;
  }

  /** As `evaluate`. Errors in one evaluation of several are its decision, and do not concern the others. */
  async evaluateAll(caller: Caller | OAuthClientPrincipal, body: unknown): Promise<Decisions> {
    const { semantic, evaluations } = readEvaluations(body, this.environment.serviceScope);
    const decisions = await this.decide(caller, evaluations);
    if (semantic !== undefined) return { list: upToTheEnd(decisions, semantic) };
    const [single = UNKNOWN] = decisions;
    return { single };
  }

  /** The number of statements does not depend on the number of evaluations. */
  private async decide(
    caller: Caller | OAuthClientPrincipal,
    evaluations: EvaluationsRequest['evaluations'],
  ): Promise<Decision[]> {
    const readable = evaluations.filter(isReadable);
    await this.checks.requireReaderOf(caller, readable.map(nameOfSubject));
    const denials = await this.denialsOf(readable);
    const known = readable.filter((evaluation) => !denials.has(evaluation));
    const asked = known.map(({ subject, permission, organizationId }) => ({
      userId: subject.id,
      check: permission,
      organizationId,
    }));
    const results = asked.length === 0 ? [] : await this.checks.evaluate(asked);
    const checked = new Map(known.map((evaluation, index) => [evaluation, results[index]]));
    return evaluations.map((evaluation) => {
      if (!isReadable(evaluation)) return { allowed: false, problems: evaluation.problems };
      const result = checked.get(evaluation);
      if (result?.allowed === true) return { allowed: true };
      return { allowed: false, denial: denials.get(evaluation) ?? 'permission_denied', checked: result };
    });
  }

  /** The evaluations whose subject is no active user. */
  private async denialsOf(evaluations: readonly Evaluation[]): Promise<Map<Evaluation, Denial>> {
    const ids = evaluations.filter(isAboutUser).map(({ subject }) => subject.id);
    const users = ids.length === 0 ? [] : await this.users.findMany([...new Set(ids)]);
    const statuses = new Map(users.map(({ id, status }) => [id, status]));
    return new Map(
      evaluations.flatMap((evaluation): [Evaluation, Denial][] => {
        const status = isAboutUser(evaluation) ? statuses.get(evaluation.subject.id) : undefined;
        if (status === 'active') return [];
        return [[evaluation, status === undefined ? 'subject_unknown' : 'subject_disabled']];
      }),
    );
  }
}

const UNKNOWN: Decision = { allowed: false, denial: 'subject_unknown', checked: undefined };

const isReadable = (read: ReadEvaluation): read is Evaluation => 'subject' in read;

const isAboutUser = ({ subject }: Evaluation): boolean => subject.type === USER && isId(subject.id);

/** The id of a user; for any other subject, a text that is the id of no user. */
const nameOfSubject = (evaluation: Evaluation): string => (isAboutUser(evaluation) ? evaluation.subject.id : '');

/** The decisions up to the one that ends the request. */
function upToTheEnd(decisions: readonly Decision[], semantic: EvaluationsSemantic): readonly Decision[] {
  const end = decisions.findIndex(({ allowed }) => allowed === ENDS_AT[semantic]);
  return end === -1 ? decisions : decisions.slice(0, end + 1);
}
