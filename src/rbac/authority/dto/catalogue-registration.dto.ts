import { IntegerField, ListField, TextField } from '../../../platform/http/input';
import type { PermissionLevel } from '../../permission';
import { PermissionIdField } from '../../permission/dto/grant.dto';

/** Permissions in one registration, and of one service. */
export const MAX_REGISTERED = 500;

export class RegisteredPermissionDto {
  @PermissionIdField()
  permission_id: string;

  @TextField({
    description: 'For display. Default: unchanged, at first empty',
    max: 500,
    optional: true,
    example: 'Read invoices',
  })
  description?: string;

  @IntegerField({
    description: 'Minimum level of a grant, for an action without a standard rank. Default: unchanged, at first 7',
    min: 1,
    max: 7,
    optional: true,
  })
  required_level?: PermissionLevel;
}

export class RegisterCatalogueDto {
  @ListField(() => RegisteredPermissionDto, {
    description: "The service's permissions. Others that the scope already has stay",
    max: MAX_REGISTERED,
  })
  permissions: RegisteredPermissionDto[];
}
