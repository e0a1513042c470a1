import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IntegerField, TextField } from '../../platform/input';
import type { PermissionLevel } from '../permission';
import { PermissionIdField, ScopeField } from './grant.dto';

export class CreateCatalogueEntryDto {
  @ScopeField("Another service's; the own scope's permissions are declared by its modules", { optional: false })
  scope: string;

  @PermissionIdField()
  permission_id: string;

  @IntegerField({
    description: 'The level a grant needs at least, for an action without a standard rank. Default 7',
    min: 1,
    max: 7,
    optional: true,
  })
  required_level?: PermissionLevel;

  @TextField({ description: 'For people', max: 500, optional: true, nullable: true, example: 'Publish reports' })
  description?: string | null;
}

@ApiSchema({ description: 'The permission as the catalogue has it' })
export class CatalogueEntryDto {
  @ApiProperty({ example: 'crm' }) scope: string;
  @ApiProperty({ example: 'report:publish' }) permission_id: string;
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 7 }) required_level: number;
  @ApiProperty({ description: "In the caller's language where a module declares it", example: 'Publish reports' })
  description: string;
  @ApiProperty({ description: 'Declared by a module; it cannot be removed' }) is_builtin: boolean;
}

@ApiSchema({ description: 'The permissions that can be granted, with what they mean' })
export class CatalogueDto {
  @ApiProperty({ type: [CatalogueEntryDto], description: 'By scope and then permission' }) items: CatalogueEntryDto[];
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
