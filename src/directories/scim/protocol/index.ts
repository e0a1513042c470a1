export { type AttributePath, pathText } from './attribute-path';
export { ATTRIBUTES_SCHEMA, attributesSchema, type ScimAttributeSource } from './attributes-schema';
export {
  listDocument,
  MAX_RESULTS,
  resourceTypeDocuments,
  schemaDocuments,
  type ScimDocument,
  serviceProviderConfigDocument,
} from './documents';
export { type Comparison, type ComparisonOperator, type Filter, kindOf, type Operand, parseFilter } from './filter';
export { matchesFilter, valuesAt } from './filter-matching';
export { GROUP_SCHEMA, groupResourceType } from './group-schema';
export { type ListQuery, type ListQueryInput, readListQuery } from './list-query';
export { applyPatch, type PatchOperation, readPatch } from './patch';
export { parsePatchPath, type PatchPath, type PatchTarget } from './patch-path';
export { parseProjection, type Projection, projectResource } from './projection';
export { readResource } from './resource';
export type { ResourceType, ScimAttribute, ScimResource, ScimSchema } from './schema';
export { errorDocument, ScimError, type ScimErrorDocument, type ScimErrorType } from './scim-error';
export { ENTERPRISE_USER_SCHEMA, USER_SCHEMA, userResourceType } from './user-schema';
