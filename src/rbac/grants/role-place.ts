/**
 * SQL: whether a row of `role` counts in an organisation. Roles of the service count everywhere, those of an organisation
 * there only.
 * @param organization an expression for its id; NULL: outside of organisations
 */
export const countsIn = (organization: string): string =>
  `(role.organization_id IS NULL OR role.organization_id = ${organization})`;
