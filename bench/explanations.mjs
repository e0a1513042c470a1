/** Why the goals of an operation are not met, by the operation's title in the report. */
export const explanations = {
  'Session check, `GET /api/auth/me` with its permissions': `The bare Nest application, which verifies a token and answers, is the limit:
in the same run it is 20 times better-auth and 11 times better-auth with Redis. A check that may take the processor time of the bare
one divided by 0.6, as the first goal allows, is therefore at 12 and 7 times. The 99th
percentile follows.`,
  '`GET /api/auth/verify` with a permission, for a proxy, and 100 permission checks with reasons': `The limit is the bare Nest application
beside it, which validates 100 objects of that shape with \`ValidationPipe\`, answers 100 objects, and checks nothing: it is below the goals itself. The
service uses the other 40 % to resolve each permission and to name the role, group or grant that decides.`,
  'Login with a password': `A login makes 7 statements in 4 round trips to PostgreSQL and runs 3 Redis scripts. With hashes that
cost nothing (64 KiB instead of 19 MiB), the main thread takes 1.7 to 1.9 ms for a login. With real hashes it takes 3.8 to 4.4 ms, and better-auth
takes 3.4 to 4.6 ms: two threads fill 19 MiB each, so they evict the second-level cache (1 MB for each core here) between any two steps of a
login. No function of the service takes more than 1 % of that time. V8 takes 69 % for code that it has not fully optimized, and the kernel takes
12 %. The rest of a login is hashing on the same two cores, 2 ms of it in the kernel, which maps and clears 19 MiB for each hash. The bare login
looks up a user, hashes, writes one row and signs two cookies, and does nothing else that a login needs: no lockout, no limit, no audit, no list
of devices.

These changes did not help: earlier compilation (\`--always-sparkplug\`, a smaller interrupt budget), two or three hashing threads
instead of four, and other builds of argon2id (in C 27 ms instead of 15, libsodium 23 ms, the previous build of this package 20 ms).
Releasing finished hashes four at a time, so that their follow-up work runs together, saved 0.7 ms of 4 but made every login wait
longer, and was not kept. Using one Redis script instead of the first two, and not publishing removed counters to the other instances,
made no difference in eight rounds.`,
  Registration: `As for a login: a registration makes 9 statements in 5 round trips. Saving two round trips made no measurable difference.`,
  'Refresh with rotation': `The bare refresh with the same signature is below four times oidc-provider itself. It has no limits, no list of
devices and no check of the user, and signs with fast-jwt on Fastify. The service signs with \`@nestjs/jwt\` in a Nest controller. Refreshes in one turn of
the event loop share a statement (docs/adr/0081-batch-statements-of-concurrent-requests.md), and the bare limit sends one statement for each
refresh, so the ratio depends on the load. No function of the service takes more than 3 %.`,
  'Route of a host application, permission required': `The goal "Permission check" measures the check itself. Compared
with a login alone, a permission costs a second lookup in the user cache. In seventy short alternating rounds that lookup cost 2 % while the
security requirements of the user's roles were read separately. It costs 0.2 % since the requirements are cached with the grants, which a
login alone reads too. Two rounds of one route differ by more than that, and so do two processes of the same host (0.97 and 1.01 in forty
rounds each). A run on a machine with other load measured 0.91.`,
  Logout: `A logout reads the session and the user, which are not cached because each session logs out once. It then runs one transaction
of four statements in four round trips: the end of the session, the end of the OAuth grants in it, and the audit row with the COMMIT.
PostgreSQL uses as much of the two cores for it as the service does. The bare logout makes one UPDATE and one Redis command, with no user
lookup, no audit and no application to notify.`,
  'OAuth: exchange of a code with PKCE': `The service runs oidc-provider, so the library alone is the limit. With its records in memory, which is
faster than any store, it is about twice the library on PostgreSQL. The service makes 6 statements where the library makes 4, among
them that of the session, so that a logout ends the code at once. The other work is the service's own: a
Nest controller, limits, CORS by client, access of users, mapped claims and the client's last use.`,
  'OAuth: client credentials, a JWT': `The library alone makes no statement for it. The service counts the request in Redis and reads the client's
rules from PostgreSQL, so that a client that was disabled gets no token a second later. Even with its records in memory the library is only as
fast as with PostgreSQL, so 1.5 times is out of reach.`,
  'OAuth: introspection of an opaque token': `The library looks for three kinds of token at once and then for the grant: 4 statements. The service also
reads the session, so that a logout ends the token at once, and judges whether the user may still use the client. Concurrent lookups share a
statement (docs/adr/0081-batch-statements-of-concurrent-requests.md).`,
  'OAuth: userinfo': `As for introspection: one statement more than the library alone, for the session.`,
  Start: `Running the modules takes the most processor time of a start, followed by reading the compiled code, the routes and garbage
collection. The service runs 2,400 third-party modules that a minimal Nest app does not have: TypeORM, the Redis client and the OpenAPI
description of the routes. A start no longer reads modules that it does not use, which were a third of the time.`,
  Pages: `The charts of the overview take 21 kB of the console's first page. The account
page still had the console's scripts when this was measured; since then it loads 58 kB at most. On the slowed processor, running these scripts takes about a second of the time until the largest paint.`,
  Growth: `A session check reads nothing from the database here, so what grows is the noise of the machine.
A search reads no more users than the page needs (test/integration/kept-plans.spec.ts). It finds any part of a name by an index of pairs of
characters (docs/adr/0120-search-by-pairs-of-characters.md), whose lists for a common pair grow with the users.`,
  Memory: `Node.js itself uses 50 MB, most of it files shared with other processes. Under load, 50 to 60 MB of the heap are live. V8
lets garbage grow to several times that size on a machine with enough memory, its young generation has 34 MB, and two concurrent hashes use
38 MB. Collecting earlier, and shrinking the young generation after the start with V8's memory-reducing collection, took 209 MB instead of
342 under load, but raised the cost of a session check from 70 µs to between 100 and 108 µs, and was not kept. A smaller young generation
made a refresh cost 12 to 36 % more
processor time.`,
  'Webhooks, 20 receivers, one of which hangs': `The receivers, PostgreSQL and the source of the events share the two cores
with the service. Resident memory grows with garbage, as under other load; with a collection every ten seconds, the live heap stays between 67 and 72 MB
and resident memory between 195 and 223 MB.`,
};
