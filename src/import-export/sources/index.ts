import { ForeignSource } from '../foreign-user';
import { auth0 } from './auth0';
import { casdoor } from './casdoor';
import { castellan } from './castellan';
import { checked } from './checked-source';
import { keycloak } from './keycloak';

/** The systems whose exports can be imported. */
export const foreignSources: readonly ForeignSource[] = [keycloak, casdoor, auth0, castellan].map(checked);
