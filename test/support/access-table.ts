/** What nobody, a user and an administrator are answered on a request without content. */
type Statuses = readonly [nobody: number, user: number, administrator: number];

/** Pages and files for people, which an API's document does not list. */
export const UNDOCUMENTED = new Set(['GET /', 'GET /home.css', 'GET /api/docs', 'GET /api/docs/{file}']);

/** Written by hand: a route that is missing here, or no longer there, fails the suite. */
export const accessTable: Readonly<Record<string, Statuses>> = {
  'GET /': [200, 200, 200],
  'GET /home.css': [200, 200, 200],
  'GET /health/live': [200, 200, 200],
  'GET /health/ready': [200, 200, 200],
  // From loopback and METRICS_ALLOW only; the clients of this table come from elsewhere.
  'GET /metrics': [404, 404, 404],
  'GET /.well-known/jwks.json': [200, 200, 200],
  'GET /api/info': [200, 200, 200],
  'GET /api/openapi.json': [200, 200, 200],
  'GET /api/docs': [200, 200, 200],
  'GET /api/docs/{file}': [404, 404, 404],
  'GET /api/avatar/{file}': [200, 200, 200],
  'POST /api/auth/register': [400, 400, 400],
  'POST /api/auth/login': [400, 400, 400],
  'POST /api/auth/refresh': [401, 200, 200],
  'POST /api/auth/logout': [401, 204, 204],
  'POST /api/auth/reauthenticate': [401, 400, 400],
  'GET /api/auth/sessions': [401, 200, 200],
  'DELETE /api/auth/sessions/{id}': [401, 404, 404],
  'DELETE /api/auth/sessions': [401, 200, 200],
  'GET /api/auth/me': [401, 200, 200],
  'PATCH /api/auth/me': [401, 200, 200],
  'PUT /api/auth/me/password': [401, 400, 400],
  'DELETE /api/auth/me': [401, 204, 409],
  'POST /api/auth/users': [401, 400, 400],
  'GET /api/auth/verify': [401, 204, 204],
  'GET /api/role': [401, 403, 200],
  'POST /api/role': [401, 403, 400],
  'GET /api/role/{id}': [401, 403, 404],
  'PATCH /api/role/{id}': [401, 403, 404],
  'DELETE /api/role/{id}': [401, 403, 404],
  'GET /api/role/{id}/users': [401, 403, 404],
  'PUT /api/role/{id}/users': [401, 403, 400],
  'GET /api/user/{id}/roles': [401, 403, 404],
  'POST /api/user/{id}/roles': [401, 403, 400],
  'DELETE /api/user/{id}/roles/{role_id}': [401, 403, 404],
  'GET /api/user/{id}/permissions': [401, 403, 404],
  'PATCH /api/user/{id}/permissions': [401, 403, 404],
  'GET /api/permission': [401, 403, 200],
  'POST /api/permission': [401, 403, 400],
  'DELETE /api/permission/{scope}/{permission_id}': [401, 403, 404],
  'POST /api/permission/check': [401, 400, 400],
};
