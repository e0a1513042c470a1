import { ResourceType, ScimAttribute, ScimSchema } from './schema';

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const SERVICE_PROVIDER_CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const LIST_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** The most resources that one answer has. */
export const MAX_RESULTS = 200;

export type ScimDocument = Readonly<Record<string, unknown>>;

/** The documents of `/Schemas`. `baseUrl` is that of the directory, without a slash at the end. */
export function schemaDocuments(types: readonly ResourceType[], baseUrl: string): readonly ScimDocument[] {
  return types
    .flatMap(({ schema, extensions }) => [schema, ...extensions])
    .map((schema) => schemaDocument(schema, baseUrl));
}

const schemaDocument = ({ id, name, description, attributes }: ScimSchema, baseUrl: string): ScimDocument => ({
  schemas: [SCHEMA],
  id,
  name,
  description,
  attributes: attributes.filter(isShown),
  meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
});

/** What is discarded is not offered. */
const isShown = ({ mutability }: ScimAttribute): boolean => mutability !== 'writeOnly';

/** The documents of `/ResourceTypes` (RFC 7643 §6). */
export const resourceTypeDocuments = (types: readonly ResourceType[], baseUrl: string): readonly ScimDocument[] =>
  types.map(({ name, endpoint, description, schema, extensions }) => ({
    schemas: [RESOURCE_TYPE],
    id: name,
    name,
    endpoint,
    description,
    schema: schema.id,
    schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
  }));

/** The document of `/ServiceProviderConfig` (RFC 7643 §5). */
export const serviceProviderConfigDocument = (baseUrl: string): ScimDocument => ({
  schemas: [SERVICE_PROVIDER_CONFIG],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token of the directory in the Authorization header',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
});

/** The answer to a query (RFC 7644 §3.4.2). `startIndex` counts from 1. */
export const listDocument = (
  resources: readonly ScimDocument[],
  { totalResults, startIndex }: { readonly totalResults: number; readonly startIndex: number },
): ScimDocument => ({
  schemas: [LIST_RESPONSE],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});
