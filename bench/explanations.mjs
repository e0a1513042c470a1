/** Why the goals of an operation are not met, by the operation's title in the report. */
export const explanations = {
  'Session check, `GET /api/auth/me` with its permissions': `The kernel takes half of the processor time, to write the response
to the browser's connection (\`writev\`). Node.js 20 takes 4 % for \`AsyncLocalStorage\`, the lookup in the cache of verified tokens takes 2 %,
and garbage collection takes 2 %. The distance to better-auth with Redis depends on the load of the machine: 9.6 to 12.7 times in four runs
of one morning, and 10.7 to 13.9 times in processor time, before a session check became a fifth cheaper.`,
  'Login with a password': `A login makes 7 statements in 4 round trips to PostgreSQL and runs 3 Redis scripts. A refresh takes
0.4 ms on the same thread. With hashes that cost nothing (64 KiB instead of 19 MiB), the main thread takes 1.7 to 1.9 ms for a login.
With real hashes it takes 3.8 to 4.4 ms, and better-auth takes 3.4 to 4.6 ms: two threads fill 19 MiB each, so they evict the second-level
cache (1 MB for each core here) between any two steps of a login. After 14,000 logins on a faster machine it takes 2.7 to 3.1 ms, and
better-auth 2.4 to 2.8 ms. No function of the service takes more than 1 % of that time. V8 takes 69 % for code that it has not fully
optimized, and the kernel takes 12 %. The rest of a login is hashing on the same two cores, 2 ms of it in the kernel, which maps and clears
19 MiB for each hash. The bare login looks up a user, hashes, writes one row and signs two cookies, and does nothing else that a login needs.
It is 1.3 times as fast as better-auth, so 1.4 times is out of reach on this machine.

These changes did not help: earlier compilation (\`--always-sparkplug\`, a smaller interrupt budget), two or three hashing threads
instead of four, and other builds of argon2id (in C 27 ms instead of 15, libsodium 23 ms, the previous build of this package 20 ms).
Releasing finished hashes four at a time, so that their follow-up work runs together, saved 0.7 ms of 4 but made every login wait
longer, and was not kept. Using one Redis script instead of the first two, and not publishing removed counters to the other instances,
made no difference in eight rounds.`,
  Registration: `As for a login: a registration makes 9 statements in 5 round trips. Saving two round trips made no measurable difference.`,
  'Refresh with rotation': `Refreshes in one turn of the event loop share a statement
(docs/adr/0081-batch-statements-of-concurrent-requests.md), and the bare limit sends one statement for each refresh. The size of a batch, and
with it the ratio, depends on the load. On the main thread the two signatures take 38 % (25 µs each, of which OpenSSL takes 19), garbage
collection 7 %, writing responses 5 %, and Node.js 20 takes 5 % for \`AsyncLocalStorage\` at each promise. No function of the service
takes more than 3 %.`,
  'Route of a host application, permission required': `The goal "Permission check" measures the check itself. Compared
with a login alone, a permission costs a second lookup in the user cache. In seventy short alternating rounds that lookup cost 2 % while the
security requirements of the user's roles were read separately. It costs 0.2 % since the requirements are cached with the grants, which a
login alone reads too. Two rounds of one route differ by more than that, and so do two processes of the same host (0.97 and 1.01 in forty
rounds each). A run on a machine with other load measured 0.91.`,
  Logout: `A logout reads the session and the user, which are not cached because each session logs out once. It then runs one transaction
of four statements in four round trips: the end of the session, the end of the OAuth grants in it, and the audit row with the COMMIT.
PostgreSQL uses as much of the two cores for it as the service does. The bare logout makes one UPDATE and one Redis command, with no user
lookup, no audit and no application to notify. It is five to seven times as fast as better-auth, so ten times is out of reach here.`,
  Start: `Running the modules takes the most processor time of a start, followed by reading the compiled code, the routes and garbage
collection. The service runs 2,400 third-party modules that a minimal Nest app does not have: TypeORM, the Redis client and the OpenAPI
description of the routes. A start no longer reads modules that it does not use, which were a third of the time.`,
  Memory: `Node.js itself uses 50 MB, most of it files shared with other processes. Under load, 50 to 60 MB of the heap are live. V8
lets garbage grow to several times that size on a machine with enough memory, its young generation has 34 MB, and two concurrent hashes use
38 MB. Collecting earlier, and shrinking the young generation after the start with V8's memory-reducing collection, took 209 MB instead of
342 under load, but raised the cost of a session check from 70 µs to between 100 and 108 µs, and was not kept. A smaller young generation
made a refresh cost 12 to 36 % more
processor time.`,
};
