import { ForeignSource } from '../foreign-user';
import { auth0 } from './auth0';
import { casdoor } from './casdoor';
import { castellan } from './castellan';
import { keycloak } from './keycloak';

/** Whose exports can be read. */
export const foreignSources: readonly ForeignSource[] = [keycloak, casdoor, auth0, castellan];
