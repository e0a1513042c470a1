import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IntegerField, TextField } from '../../../platform/http/input';
import type { PermissionLevel } from '../../permission';
import { PermissionIdField, ScopeField } from '../../permission/dto/grant.dto';

export class CreateCatalogueEntryDto {
  @ScopeField("Scope of another service; modules declare the permissions of this service's scope", { optional: false })
  scope: string;

  @PermissionIdField()
  permission_id: string;

  @IntegerField({
    description: 'Minimum level of a grant, for an action without a standard rank. Default 7',
    min: 1,
    max: 7,
    optional: true,
  })
  required_level?: PermissionLevel;

  @TextField({ description: 'For display', max: 500, optional: true, nullable: true, example: 'Publish reports' })
  description?: string | null;
}

@ApiSchema({ description: 'A permission in the catalogue' })
export class CatalogueEntryDto {
  @ApiProperty({ example: 'crm' }) scope: string;
  @ApiProperty({ example: 'report:publish' }) permission_id: string;
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 7 }) required_level: number;
  @ApiProperty({ description: "In the caller's language where a module declares it", example: 'Publish reports' })
  description: string;
  @ApiProperty({ description: 'Declared by a module; it cannot be removed' }) is_builtin: boolean;
}

@ApiSchema({ description: 'The permissions that can be granted, with their descriptions' })
export class CatalogueDto {
  @ApiProperty({ type: [CatalogueEntryDto], description: 'Sorted by scope, then permission' })
  items: CatalogueEntryDto[];
}

interface Shown {
  readonly scope: string;
  readonly permissionId: string;
  readonly requiredLevel: number;
  readonly description: string;
  readonly isBuiltin: boolean;
}

export function catalogueEntryDto({
  scope,
  permissionId,
  requiredLevel,
  description,
  isBuiltin,
}: Shown): CatalogueEntryDto {
  return { scope, permission_id: permissionId, required_level: requiredLevel, description, is_builtin: isBuiltin };
}
