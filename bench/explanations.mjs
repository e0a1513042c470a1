/** By an operation's title in the report: why its goals are out of reach as the service stands. */
export const explanations = {
  'Session check, `GET /api/auth/me` with its permissions': `Half of the processor time is the kernel's, in writing the answer to the browser's
connection (\`writev\`), 4 % is what Node.js 20 does for \`AsyncLocalStorage\`, 2 % finding the token among those verified, 2 % collecting.
How far apart the service and better-auth with Redis are depends on the machine's hour: 9.6 to 12.7 times in four runs of one morning,
10.7 to 13.9 in processor time, before a session check became a fifth cheaper.`,
  'Login by password': `A login is 7 statements in 4 trips to PostgreSQL and 3 scripts in Redis; with a refresh the same thread takes
0.4 ms. With hashes that cost nothing (64 KiB in place of 19 MiB) the main thread takes 1.7 to 1.9 ms for a login, beside real ones
3.8 to 4.4 ms, and that of better-auth 3.4 to 4.6: two threads fill 19 MiB each, the second-level cache (1 MB a core here) is
theirs between any two steps of a login. Warm, on a faster machine, it is 2.7 to 3.1 ms after 14,000 logins, and 2.4 to 2.8 for
better-auth. No function of the service has more than 1 % of it; 69 % is V8's own code for code that is not compiled to the end,
12 % the kernel. The rest is hashes, on the same two cores, of which 2 ms are the kernel's, which maps and clears the 19 MiB anew
for each. The bare login, which looks up a user, hashes, writes one row and signs two cookies, and does nothing else that a login
needs, is 1.3 times as fast as better-auth: 1.4 times is beyond what can be had here, whoever writes it.

What was tried and did not help: compiling sooner (\`--always-sparkplug\`, a smaller interrupt budget), two or three threads for hashes
in place of four, other builds of argon2id (in C 27 ms in place of 15, libsodium's 23 ms, the former one of this package 20 ms).
Letting go of finished hashes by fours, so that what follows them is done together, saved 0.7 ms of 4 and made everybody wait
longer; it was not kept. One script in Redis in place of the first two, and no word to other instances of counters that are gone: no
difference in eight rounds.`,
  Registration: `As for a login: a registration is 9 statements in 5 trips. Two trips fewer were tried: no difference was measured.`,
  'Refresh with rotation': `Refreshes of one turn of the event loop share a statement (docs/adr/0081-batch-statements-of-concurrent-requests.md); the
bare limit asks for each by itself. How many come together depends on the load, and with it how far apart the two are. Of the
main thread, 38 % is the two signatures (25 µs each; OpenSSL alone takes 19), 7 % collecting, 5 % writing to browsers, 5 % what Node.js 20
does for \`AsyncLocalStorage\` at each promise; no function of the service has more than 3 %.`,
  'A route of a host, guarded by a permission': `In memory the check itself is the permission check below. Beside a login
alone a permission costs a second look at what is remembered of the user. In seventy short rounds in turns that was 2 % as long as
what roles demand of a user was read by itself, and 0.2 % since it comes with the grants, which a login alone reads, too: less than
two rounds of one route differ by, or two processes of the same host (0.97 and 1.01 in forty rounds each); a run on a machine that
others kept busy said 0.91.`,
  Logout: `A logout reads session and user, which nobody remembers as each session asks once, and is then one transaction of four
statements in four trips: the session's end, what applications hold of it, the audit's row with the COMMIT. PostgreSQL takes as
much of the two cores for it as the service. The bare logout, one UPDATE and one word in Redis, with no user to look at, no audit and no
application to tell, is five to seven times as fast as better-auth: ten times is beyond what can be had here.`,
  Start: `Of a start's processor time, running the modules takes the most, then reading the compiled code, the routes and collecting. It runs
2,400 modules of others that a minimal Nest app does not have: TypeORM, the Redis client, OpenAPI's description of the
routes. Nothing is read that is not used by then; before, that was a third of the time.`,
  Memory: `Node.js itself has 50 MB, of files it shares with other processes. Under load 50 to 60 MB of the heap live; V8
lets garbage grow to several times of that on a machine that has the memory, and its room for new objects has 34 MB; two hashes at a
time have 38 MB while they run. Collecting sooner, and giving the room for new objects back after the start by the collection that V8
makes for want of memory, took 209 MB in place of 342 under load, but a session check cost 100 to 108 µs in place of 70; not kept.
Smaller room for new objects cost a refresh 12 to 36 % more
processor time.`,
};
