import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { FieldProblem, platformErrors } from '../../platform/errors';
import { Language, languages, TranslatorService } from '../../platform/i18n';
import { FieldProblemDto, problemBody } from '../../platform/http/problems';
import { CheckedPermission } from '../permission/effective-grants';
import { GrantDto, grantDto } from '../permission/dto/grant.dto';
import { permissionIdOf } from '../permission';
import type { Decision, Decisions, Denial } from './access-evaluations.service';
import type { EvaluationsSemantic } from './evaluation-request';
import { MAX_EVALUATIONS, MAX_ID, MAX_TYPE, SEMANTICS } from './evaluation-request';

const PROPERTIES = {
  type: 'object' as const,
  additionalProperties: true,
  description: 'Accepted and not read',
  example: { department: 'Sales' },
};

/** Only the organization is read. */
class AccessContextDto {
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Counts what the subject holds in this organization, too. Other members are accepted and not read',
  })
  organization_id?: string;
}

class AccessSubjectDto {
  @ApiProperty({ description: 'Only subjects of type `user` are known', maxLength: MAX_TYPE, example: 'user' })
  type: string;

  @ApiProperty({
    description: 'The id of the user, which is `sub` in tokens',
    maxLength: MAX_ID,
    example: '01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c4',
  })
  id: string;

  @ApiPropertyOptional(PROPERTIES) properties?: object;
}

class AccessActionDto {
  @ApiProperty({ description: 'The action of the permission; `*` means all', maxLength: 50, example: 'read' })
  name: string;

  @ApiPropertyOptional(PROPERTIES) properties?: object;
}

class AccessResourceDto {
  @ApiProperty({
    description: "The resource of the permission, `scope:resource`, or `resource` of the service's own scope",
    maxLength: MAX_TYPE,
    example: 'billing:invoice',
  })
  type: string;

  @ApiProperty({
    description: 'Decides nothing: a permission holds for every resource of its type',
    maxLength: MAX_ID,
    example: '4711',
  })
  id: string;

  @ApiPropertyOptional(PROPERTIES) properties?: object;
}

/** Documents the body of an evaluation request; `readSingle` reads it. */
export class EvaluationRequestDto {
  @ApiProperty({ type: AccessSubjectDto }) subject: AccessSubjectDto;
  @ApiProperty({ type: AccessActionDto }) action: AccessActionDto;
  @ApiProperty({ type: AccessResourceDto }) resource: AccessResourceDto;
  @ApiPropertyOptional({ type: AccessContextDto }) context?: AccessContextDto;
}

class PartialEvaluationDto {
  @ApiPropertyOptional({ type: AccessSubjectDto }) subject?: AccessSubjectDto;
  @ApiPropertyOptional({ type: AccessActionDto }) action?: AccessActionDto;
  @ApiPropertyOptional({ type: AccessResourceDto }) resource?: AccessResourceDto;
  @ApiPropertyOptional({ type: AccessContextDto }) context?: AccessContextDto;
}

class EvaluationsOptionsDto {
  @ApiPropertyOptional({
    enum: SEMANTICS,
    description: 'When to end: after all, after the first denial or failure, or after the first permit',
    default: 'execute_all',
    example: 'deny_on_first_deny',
  })
  evaluations_semantic?: EvaluationsSemantic;
}

/** Documents the body of an evaluations request; `readEvaluations` reads it. */
export class EvaluationsRequestDto extends PartialEvaluationDto {
  @ApiPropertyOptional({
    type: [PartialEvaluationDto],
    maxItems: MAX_EVALUATIONS,
    description:
      'What an entry leaves out is taken from the members beside this list. Missing or empty: one evaluation',
  })
  evaluations?: PartialEvaluationDto[];

  @ApiPropertyOptional({ type: EvaluationsOptionsDto }) options?: EvaluationsOptionsDto;
}

class EvaluationErrorDto {
  @ApiProperty({ type: 'integer', description: 'The status that a single request gets', example: 400 }) status: number;
  @ApiProperty({ example: 'validation_failed' }) code: string;
  @ApiProperty({ description: "In the caller's language", example: 'What happened, in a sentence' }) message: string;
  @ApiPropertyOptional({ type: [FieldProblemDto] }) errors?: FieldProblemDto[];
}

const REASON = { type: 'object' as const, additionalProperties: { type: 'string' as const } };

/** Never part of a permit, because a caller may reject a permit whose context it does not know (AuthZEN §5.5). */
class DecisionContextDto {
  @ApiPropertyOptional({
    enum: ['subject_unknown', 'subject_disabled', 'permission_denied'],
    description: 'Stable; missing if the evaluation failed',
    example: 'permission_denied',
  })
  reason?: Denial;

  @ApiPropertyOptional({
    ...REASON,
    description: 'By language, for administrators only: it names the permission',
    example: { en: 'A sentence that names the permission' },
  })
  reason_admin?: Record<string, string>;

  @ApiPropertyOptional({
    ...REASON,
    description: 'By language, for the user',
    example: { en: 'A sentence for the user' },
  })
  reason_user?: Record<string, string>;

  @ApiPropertyOptional({ type: GrantDto, description: 'The smallest grant that would permit it' }) closest?: GrantDto;
  @ApiPropertyOptional({ type: EvaluationErrorDto, description: 'Why the evaluation failed' })
  error?: EvaluationErrorDto;
}

@ApiSchema({ description: 'The decision; a denial has its reason in `context` (AuthZEN §5.5)' })
export class DecisionDto {
  @ApiProperty({ description: 'Whether the subject may do it', example: false }) decision: boolean;
  @ApiPropertyOptional({ type: DecisionContextDto }) context?: DecisionContextDto;
}

@ApiSchema({ description: 'The decisions in the order of `evaluations`, up to the one that ended the request' })
export class DecisionsDto {
  @ApiProperty({ type: [DecisionDto] }) evaluations: DecisionDto[];
}

/** Writes decisions in the languages of the service. */
export class DecisionWriter {
  constructor(
    private readonly translator: TranslatorService,
    private readonly language: Language,
  ) {}

  decisions(decisions: Decisions): DecisionDto | DecisionsDto {
    if ('single' in decisions) return this.decision(decisions.single);
    return { evaluations: decisions.list.map((decision) => this.decision(decision)) };
  }

  decision(decision: Decision): DecisionDto {
    if (decision.allowed) return { decision: true };
    if ('problems' in decision) return { decision: false, context: { error: this.errorOf(decision.problems) } };
    return { decision: false, context: this.contextOf(decision.denial, decision.checked) };
  }

  private contextOf(reason: Denial, checked: CheckedPermission | undefined): DecisionContextDto {
    const params = checked && { permission: permissionIdOf(checked.check), scope: checked.check.scope };
    return {
      reason,
      reason_admin: this.inEachLanguage(`admin.${reason}`, params),
      reason_user: this.inEachLanguage('user'),
      ...(checked?.closest && { closest: grantDto(checked.closest) }),
    };
  }

  private inEachLanguage(key: string, params?: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(languages.map((each) => [each, this.translator.text(each, 'decisions', key, params)]));
  }

  private errorOf(fields: readonly FieldProblem[]): EvaluationErrorDto {
    const problem = platformErrors.validationFailed({ fields });
    const { status, code, detail, errors = [] } = problemBody(problem, this.language, '', this.translator);
    return { status, code, message: detail, errors };
  }
}
