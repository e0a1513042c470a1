/** Why the goals of an operation are not met, by the operation's title in the report. */
export const explanations = {
  'Session check, `GET /api/auth/me` with its permissions': `The bare Nest application, which verifies a token and answers, is the limit:
in the same run it is 20 times better-auth and 11 times better-auth with Redis. Divided by 0.6, that is 12 and 7 times.`,
  '`GET /api/auth/verify` with a permission, for a proxy, and 100 permission checks with reasons': `The limit is the bare Nest application
beside it, which validates and answers 100 objects of that shape and checks nothing: it is below the goals itself.`,
  'Login with a password': `A login makes 7 statements in 4 round trips to PostgreSQL and runs 3 Redis scripts. With hashes that
cost nothing, the main thread takes 1.7 to 1.9 ms for a login; with real ones 3.8 to 4.4 ms, as better-auth does: two threads fill 19 MiB
each, and evict the second-level cache between any two steps. No function of the service takes more than 1 %. The bare login has no lockout,
limit, audit or list of devices.`,
  Registration: `As for a login: 9 statements in 5 round trips.`,
  'Refresh with rotation': `The bare refresh with the same signature is below four times oidc-provider itself. It has no limits, no list of
devices and no check of the user, and signs with fast-jwt on Fastify. Refreshes in one turn of the event loop share a statement
(docs/adr/0081-batch-statements-of-concurrent-requests.md), so the ratio depends on the load.`,
  'Route of a host application, permission required': `Compared with a login alone, a permission costs a second lookup in the user cache, 0.2 %:
two rounds of one route differ by more.`,
  Logout: `A logout reads session and user, which are not cached because each session logs out once, and runs a transaction of four
statements. The bare logout makes one UPDATE and one Redis command, with no user lookup, no audit and no application to notify.`,
  'OAuth: exchange of a code with PKCE': `The service runs oidc-provider, so the library alone is the limit. The service makes 6 statements
where the library makes 4, among them that of the session, so that a logout ends the code at once. The rest is a Nest controller, limits,
CORS by client, access of users, mapped claims and the client's last use.`,
  'OAuth: client credentials, a JWT': `The library alone makes no statement for it. The service counts the request in Redis and reads the client's
rules from PostgreSQL, so that a client that was disabled gets no token a second later.`,
  'OAuth: introspection of an opaque token': `The library makes 4 statements. The service also reads the session, so that a logout ends the
token at once, and judges whether the user may still use the client.`,
  'OAuth: userinfo': `As for introspection: one statement more than the library alone, for the session.`,
  Start: `Running the modules takes the most processor time. The service runs 2,400 third-party modules that a minimal Nest app does not
have: TypeORM, the Redis client and the OpenAPI description of the routes.`,
  Pages: `The charts of the overview take 21 kB of the console's first page. On the slowed processor, its scripts take about a second of the
time until the largest paint.`,
  Growth: `A session check reads nothing from the database here, so what grows is the noise of the machine. A search finds any part of a name
by an index of pairs of characters (docs/adr/0120-search-by-pairs-of-characters.md), whose lists for a common pair grow with the users.`,
  Memory: `Node.js itself uses 50 MB. Under load, 50 to 60 MB of the heap are live, and two concurrent hashes use 38 MB. V8 lets garbage
grow to several times that on a machine with enough memory. Collecting earlier took 209 MB instead of 342, but a session check then cost 100 to
108 µs instead of 70; a smaller young generation made a refresh cost 12 to 36 % more.`,
  'Webhooks, 20 receivers, one of which hangs': `Resident memory grows with garbage, as under other load; with a collection every ten seconds,
the live heap stays between 67 and 72 MB and resident memory between 195 and 223 MB.`,
};
