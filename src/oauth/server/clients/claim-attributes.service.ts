import { Injectable } from '@nestjs/common';
import { AuditTarget } from '../../../audit';
import { Environment } from '../../../platform/config';
import { Caller } from '../../../platform/context';
import { FieldProblem, platformErrors } from '../../../platform/errors';
import { grantOfPermission, PrivilegeEscalationGuardService, userPermissions } from '../../../rbac';
import { attributeErrors, AttributeReader, AttributeReaders } from '../../../users/attributes';
import { ClaimMapping, definedAttributeOf } from './client-claims';
import { ClientRepository } from './client.repository';

/** Claims from attributes that operators define: what clients read, and who may make them read it. */
@Injectable()
export class ClaimAttributesService implements AttributeReader {
  constructor(
    private readonly environment: Environment,
    private readonly clients: ClientRepository,
    private readonly readers: AttributeReaders,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
  ) {
    readers.register(this);
  }

  reads(name: string): Promise<boolean> {
    return this.clients.readAttribute(name);
  }

  /**
   * The claims show what only administrators of users may see, so new ones need `user:admin` everywhere. Call it in the
   * transaction of the change. Errors: `escalation_denied`, `validation_failed`, `attribute_trusted`.
   */
  async authorize(
    caller: Caller,
    claims: readonly ClaimMapping[],
    before: readonly ClaimMapping[] = [],
    target?: AuditTarget,
  ): Promise<void> {
    const known = new Set(before.map(definedAttributeOf));
    const added = claims.flatMap((claim, index) => {
      const name = definedAttributeOf(claim);
      return name === undefined || known.has(name) ? [] : [{ field: `claims[${index}].value`, name }];
    });
    if (added.length === 0) return;
    const problems = await this.readers.problemsOf(added.map(({ name }) => name));
    const fields = added.flatMap(({ field, name }): FieldProblem[] => {
      const code = problems.get(name);
      return code === undefined ? [] : [{ field, code }];
    });
    const unknown = fields.filter(({ code }) => code === 'attribute_unknown');
    if (unknown.length > 0) throw platformErrors.validationFailed({ fields: unknown });
    const needed = grantOfPermission(userPermissions.administer, this.environment.serviceScope);
    await this.escalationGuard.requireCover(caller, [needed], target);
    if (fields.length > 0) throw attributeErrors.attributeTrusted({ fields });
  }
}
