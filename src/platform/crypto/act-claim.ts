/** The claim that names the user who acts as the subject of a token (RFC 8693 §4.1). Nothing without such a user. */
export const actClaim = (actorId: string | null | undefined): { readonly act?: { readonly sub: string } } =>
  actorId ? { act: { sub: actorId } } : {};
