import { CreateUsers1760000000000 } from './1760000000000-create-users';
import { CreateRoles1760000001000 } from './1760000001000-create-roles';
import { CreateSessions1760000002000 } from './1760000002000-create-sessions';
import { CreateSettings1760000003000 } from './1760000003000-create-settings';
import { CreateAudit1760000004000 } from './1760000004000-create-audit';
import { CreatePermissionCatalogue1760000100000 } from './1760000100000-create-permission-catalogue';
import { CreateSettingHistory1760000200000 } from './1760000200000-create-setting-history';
import { SearchUsers1760000300000 } from './1760000300000-search-users';

/** Every migration in its order; an embedding application gets the same list. */
export const migrations = [
  CreateUsers1760000000000,
  CreateRoles1760000001000,
  CreateSessions1760000002000,
  CreateSettings1760000003000,
  CreateAudit1760000004000,
  CreatePermissionCatalogue1760000100000,
  CreateSettingHistory1760000200000,
  SearchUsers1760000300000,
];
