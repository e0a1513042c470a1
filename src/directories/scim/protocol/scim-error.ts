/** What a client may learn of a 400 or 409 by machine (RFC 7644 §3.12). */
export type ScimErrorType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers';

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** The longest piece of a request that an error repeats. */
const MAX_QUOTED = 100;

/** An answer other than 2xx of a SCIM route. */
export class ScimError extends Error {
  override readonly name = 'ScimError';

  constructor(
    readonly status: number,
    readonly scimType: ScimErrorType | undefined,
    readonly detail: string,
  ) {
    super(detail);
  }
}

export const badRequest = (scimType: ScimErrorType, detail: string): ScimError => new ScimError(400, scimType, detail);

/** A piece of a request for an error, cut where it is long. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

export interface ScimErrorDocument {
  readonly schemas: readonly string[];
  readonly status: string;
  readonly scimType?: ScimErrorType;
  readonly detail: string;
}

/** The body of the answer. The status is a text there (RFC 7644 §3.12). */
export const errorDocument = ({ status, scimType, detail }: ScimError): ScimErrorDocument => ({
  schemas: [ERROR_SCHEMA],
  status: String(status),
  ...(scimType && { scimType }),
  detail,
});
