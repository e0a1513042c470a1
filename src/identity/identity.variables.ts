import { auditSinkVariables } from '../audit/sinks/audit-sink.variables';
import { Environment, EnvironmentSource, readEnvironment, VariableGroup } from '../platform/config';

/** The variables of features, beside those of the platform. */
export const identityVariables: readonly VariableGroup<unknown>[] = [auditSinkVariables];

/** Reads what every start needs, before the features are loaded. Errors: `EnvironmentError`. */
export const readIdentityEnvironment = (source?: EnvironmentSource): Environment =>
  readEnvironment(source, identityVariables);
