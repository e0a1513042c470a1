/**
 * SQL: whether a row of `role` counts in an organization. Roles of the service count everywhere, those of an organization
 * there only.
 * @param organization an expression for its id; NULL: outside of organizations
 */
export const countsIn = (organization: string): string =>
  `(role.organization_id IS NULL OR role.organization_id = ${organization})`;
